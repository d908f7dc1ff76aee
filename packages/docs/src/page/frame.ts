/**
 * The page that creates the worker. A worker that is loaded from a file follows the policy in its headers, which a
 * plain file server does not send. A worker created from a blob inherits the policy of its page. So this page has the
 * strict policy, and its worker imports the file.
 */
const home = new URL("./", import.meta.url).href;

addEventListener("message", ({ source, origin, ports: [port] }) => {
  if (source !== parent || origin !== location.origin || port === undefined) return;
  const text = `import(${JSON.stringify(`${home}worker.js`)}).then(({ start }) => start(${JSON.stringify(home)}, port), postMessage);
    const port = new Promise((resolve) => addEventListener("message", ({ ports }) => resolve(ports[0]), { once: true }));`;
  const address = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
  const worker = new Worker(address, { type: "module", name: "trainyard" });
  worker.addEventListener("error", ({ message }) => parent.postMessage({ died: message }, location.origin));
  worker.addEventListener("message", () => parent.postMessage({ notLoaded: true }, location.origin));
  worker.postMessage(undefined, [port]);
});
document.documentElement.dataset["ready"] = "";
