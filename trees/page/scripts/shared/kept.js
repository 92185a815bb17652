// What the browser keeps, and the address: some browsers and embedded views forbid either to pages from
// a disk, and the page works without.

// What `does` returns, "" where it is forbidden.
export function allowed(does) {
  try {
    return does() ?? "";
  } catch {
    return "";
  }
}
