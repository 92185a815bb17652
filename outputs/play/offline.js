// Keeps the page for use without a net: newer from the server where there is one, else as it was.

const KEPT = "seabattle";

self.addEventListener("install", (event) => {
  self.skipWaiting();
  event.waitUntil(caches.open(KEPT).then((kept) => kept.add("seabattle.html")));
});

self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  const { request } = event, keep = request.method === "GET" && new URL(request.url).origin === location.origin;
  if (!keep) return;
  event.respondWith((async () => {
    const kept = await caches.open(KEPT);
    try {
      const found = await fetch(request);
      if (found.ok) await kept.put(request, found.clone());
      return found;
    } catch (error) {
      const known = (await kept.match(request, { ignoreSearch: true })) || (request.mode === "navigate" && (await kept.match("seabattle.html")));
      if (known) return known;
      throw error;
    }
  })());
});
