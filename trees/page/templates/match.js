// A game against the program.

class MatchTab {
  constructor(page) {
    this.page = page;
  }

  show() {}

  get rules() { return NAMED.russian; }

  get address() { return ""; }

  read(address) {}

  key(event) { return false; }
}
