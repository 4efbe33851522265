// A film of another tab goes on to Read or Ask: the server opens it, and Read, which keeps the films, hangs it.

class Onward {
  // `event`: the component's own, that the server answers with a token. `told`: say(words), leaving().
  constructor(event, { say, leaving = () => {} }) {
    Object.assign(this, { event, say, leaving, asked: 0, going: null });
    document.addEventListener("tailscope-failed", () => this.going && this.answer({ request: this.asked, ...FAILED }));
  }

  // `tab`: "read" or "ask"; `name`: what the film is called there; `order`: what the server opens it by.
  open(tab, name, order) {
    this.going = { tab, name };
    this.say("Opening the film");
    trigger(this.event, { ...order, request: ++this.asked });
  }

  async answer({ request, token, title, detail } = {}) {
    if (request !== this.asked || !this.going) return;
    const { tab, name } = this.going;
    this.going = null;
    const refusal = token ? await hung.keeper.hang("a", name, token) : { title, detail };
    this.say(refusal ? refusal.title + ". " + refusal.detail : "");
    if (refusal) return;
    this.leaving();
    location.hash = "#" + tab;
  }
}
