// Looking back at a game, shot by shot.

class ReviewTab {
  constructor(page) {
    this.page = page;
  }

  show() {}

  get rules() { return NAMED.russian; }

  get address() { return ""; }

  read(address) {}

  key(event) { return false; }
}
