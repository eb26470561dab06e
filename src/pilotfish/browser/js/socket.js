// Runs before the scripts of each page, frame and worker. Holds what they send over sockets and data channels until an
// answer comes, and opens no socket whose address says that this does something (`verbs`). Whatever they replace later,
// such as `Promise` or `JSON`, is not used: all of that is taken here.
(secret, verbs) => {
  if ("pilotfishAnswer" in globalThis) return;
  let tell = globalThis.pilotfishAsk;
  delete globalThis.pilotfishAsk;
  const { apply, construct } = Reflect;
  const { stringify } = JSON;
  const { getOwnPropertyDescriptor: describe, getPrototypeOf: prototypeOf } = Object;
  const Later = Promise;
  const known = Object.create(null);
  const waiting = Object.create(null);
  const doing = Object.create(null);
  for (const verb of verbs) doing[verb] = true;
  const queues = new WeakMap();
  const numbers = new Uint32Array(2);
  const NOWHERE = "wss://refused.invalid/";
  const [LONGEST_KNOWN, READ_BYTES, LEAST_LETTERS] = [2000, 150, 5];
  // A worker that is paused at its start has neither of these yet, and no location, but it has the function that asks.
  const { setTimeout: later, crypto: source } = globalThis;
  const random = source ? source.getRandomValues.bind(source) : (made) => ++made[0];

  // The gate comes before a document that is fetched, not before that of an empty popup, and could not pause the workers
  // that start there. So the window that opened it starts them. What is fetched later may have the same global object.
  const { Worker: Starter, URL: Address } = globalThis;
  const isFetched = () => location.protocol === "https:" || location.protocol === "http:";
  if (!tell && Starter && !isFetched()) {
    const from = globalThis.opener || globalThis.parent;
    const start = function Worker(url, options) {
      return new from.Worker(new Address(url, document.baseURI), options);
    };
    if (from !== globalThis) globalThis.Worker = start;
  }

  const answer = (given, id, said) => {
    if (given !== secret || !(id in waiting)) return;
    const done = waiting[id];
    delete waiting[id];
    done(said);
  };
  Object.defineProperty(globalThis, "pilotfishAnswer", { value: answer });

  // Whose document or worker this is. Pages may replace the property, so it is read as it was at first.
  const readOrigin = () => {
    for (let holder = globalThis; holder; holder = prototypeOf(holder)) {
      const found = describe(holder, "origin");
      if (found) return found.get;
    }
  };
  let originReader = readOrigin();
  const ownOrigin = () => {
    originReader ||= readOrigin();
    return originReader ? apply(originReader, globalThis, []) : "null";
  };

  // In an empty popup the function that asks may come a moment later. A page may call it too, but does not know the
  // random number of a question.
  const pass = (question) => {
    tell ||= globalThis.pilotfishAsk;
    if (tell) tell(question);
    else later(pass, 50, question);
  };

  const ask = (url, text, size) =>
    new Later((done) => {
      const question = Object.create(null);
      random(numbers);
      question.id = `${numbers[0]}.${numbers[1]}`;
      question.url = url;
      question.text = text;
      question.size = size;
      question.origin = ownOrigin();
      waiting[question.id] = done;
      pass(stringify(question));
    });

  const isLetter = (code) => (code > 64 && code < 91) || (code > 96 && code < 123);

  // What is asked about in words: of bytes the kind, by their first four bits, and the words that they begin with.
  const read = (data) => {
    if (typeof data === "string") return data;
    if (data instanceof Blob) return "blob";
    const bytes = ArrayBuffer.isView(data) ? new Bytes(data.buffer, data.byteOffset, data.byteLength) : new Bytes(data);
    let words = `binary${toSign(97 + (bytes[0] >> 4))}`;
    let word = "";
    for (let at = 0; at <= bytes.length && at <= READ_BYTES; at++) {
      if (at < READ_BYTES && isLetter(bytes[at])) word += toSign(bytes[at]);
      else {
        if (word.length >= LEAST_LETTERS) words += ` ${word}`;
        word = "";
      }
    }
    return words;
  };

  // Messages that differ in numbers alone are of one kind. Long ones and bytes are asked about one by one.
  const shape = (data) => {
    if (typeof data !== "string" || data.length > LONGEST_KNOWN) return "";
    let text = " ";
    for (let at = 0; at < data.length; at++) {
      const isDigit = data[at] >= "0" && data[at] <= "9";
      text += isDigit ? (text[text.length - 1] === "#" ? "" : "#") : data[at];
    }
    return text;
  };

  // What may change until it is sent is copied; what is neither text nor bytes is sent as text.
  const settled = (data) => {
    if (ArrayBuffer.isView(data)) return data.slice ? data.slice() : new DataView(data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength));
    if (data instanceof ArrayBuffer) return data.slice(0);
    return data instanceof Blob ? data : `${data}`;
  };

  const hold = (kind, place, isOpen) => {
    if (!kind) return;
    const plain = kind.prototype.send;

    const held = async (socket, url, shaped, data, before) => {
      await before;
      const text = read(data).slice(0, 20000);
      const size = typeof data === "string" ? data.length : (data.byteLength ?? data.size ?? 0);
      const said = shaped in known ? "own" : await ask(url, text, size);
      if (said === "own" && shaped) known[shaped] = true;
      if (said !== "no" && isOpen(socket)) apply(plain, socket, [data]);
    };

    const send = function send(given) {
      const data = settled(given);
      const url = place(this);
      const shaped = shape(data) && `${url}${shape(data)}`;
      if (shaped in known || !isOpen(this)) return apply(plain, this, [data]);
      queues.set(this, held(this, url, shaped, data, queues.get(this)).catch(() => 0));
    };
    kind.prototype.send = send;
  };

  const getter = (kind, name) => {
    const get = kind && Object.getOwnPropertyDescriptor(kind.prototype, name).get;
    return (object) => apply(get, object, []);
  };
  const { WebSocket: Socket, RTCDataChannel: Channel, parseInt: number, String: Text, Uint8Array: Bytes } = globalThis;
  const { toLowerCase: small } = Text.prototype;
  const toSign = Text.fromCharCode;

  // An address without percent signs before letters, as servers read it. Signs are taken one by one, since pages may
  // replace every method of texts.
  const plain = (address) => {
    let read = "";
    for (let at = 0; at < address.length; at++) {
      const code = address[at] === "%" ? number(`${address[at + 1]}${address[at + 2]}`, 16) : 0;
      if (code > 31 && code < 127) at += 2;
      read += code > 31 && code < 127 ? toSign(code) : address[at];
    }
    return read;
  };

  const says = (address) => {
    let word = "";
    let whole = "";
    let before = "";
    for (let at = 0; at <= address.length; at++) {
      const sign = at < address.length ? address[at] : "/";
      const low = apply(small, sign, []);
      const letter = low >= "a" && low <= "z";
      if ((!letter || (sign !== low && before >= "a" && before <= "z")) && word) {
        if (word in doing) return true;
        word = "";
      }
      // Servers may take DeLeTe for delete, too.
      if (!letter && whole in doing) return true;
      whole = letter ? whole + low : "";
      if (letter) word += low;
      before = sign;
    }
    return false;
  };

  const [state, readiness] = [getter(Socket, "readyState"), getter(Channel, "readyState")];
  const [url, label] = [getter(Socket, "url"), getter(Channel, "label")];
  const [path, query] = [getter(Address, "pathname"), getter(Address, "search")];

  // What an address names below its site, also by the base of its document.
  const below = (address) => {
    try {
      const whole = new Address(address, globalThis.document?.baseURI ?? globalThis.location.href);
      return `${path(whole)}${query(whole)}`;
    } catch {
      return address;
    }
  };

  // The handshake is a request that no protocol holds.
  const opened = Socket && new Proxy(Socket, {
    construct(kind, given, made) {
      const address = `${given[0]}`;
      const refused = says(plain(plain(plain(below(address)))));
      const rest = given.length > 1 ? [given[1]] : [];
      return construct(kind, [refused ? NOWHERE : address, ...rest], made === opened ? kind : made);
    },
  });
  if (Socket) globalThis.WebSocket = Socket.prototype.constructor = opened;

  hold(Socket, url, (socket) => state(socket) === 1);
  hold(Channel, (channel) => `https://data-channel.invalid/${encodeURIComponent(label(channel))}`, (channel) => readiness(channel) === "open");
  delete globalThis.WebSocketStream;
  delete globalThis.WebTransport;
  // A shared worker cannot be paused before its script runs; browsers of phones have none either.
  delete globalThis.SharedWorker;
}
