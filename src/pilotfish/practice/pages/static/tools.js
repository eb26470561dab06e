// Tools for agents, where the browser has them. Each does what a button of the shop does.
const offer = (tool) => document.modelContext?.registerTool(tool);

offer({
  name: "add_to_cart",
  description: "Put goods into the shopping cart",
  inputSchema: {
    type: "object",
    properties: {
      slug: { type: "string", description: "the goods' name in small letters, joined by hyphens" },
      quantity: { type: "integer", description: "how many; one if not given" },
    },
    required: ["slug"],
  },
  async execute({ slug, quantity = 1 }) {
    const reply = await fetch("/shop/cart/add", { method: "POST", body: new URLSearchParams({ slug, quantity }) });
    const text = reply.ok && reply.url.endsWith("/shop/cart") ? `${quantity} × ${slug} is in the cart.` : "There are no such goods.";
    document.querySelector("#said").textContent = text;
    return { content: [{ type: "text", text }] };
  },
});

offer({
  name: "list_goods",
  description: "List the names and prices of all goods",
  annotations: { readOnlyHint: true },
  async execute() {
    const shop = new DOMParser().parseFromString(await (await fetch("/shop")).text(), "text/html");
    return [...shop.querySelectorAll(".card")].map((card) => card.innerText.replace(/\s+/g, " ").trim());
  },
});
