// Advice in a real game.

class AdviseTab {
  constructor(page) {
    this.page = page;
    this.record = new Record(NAMED.russian);
  }

  show() {}

  get rules() { return this.record.state; }

  // What stands behind "#advise/" in the address, and the game that it brings back.
  get address() { return ""; }

  read(address) {}

  key(event) { return false; }
}
