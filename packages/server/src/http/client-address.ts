import { BlockList, isIP } from "node:net";

/**
 * Finds the address of a client: that of the peer or, if it is a trusted proxy, the last address in `X-Forwarded-For` that is
 * not one.
 *
 * @param proxies addresses (`127.0.0.1`) and networks (`10.0.0.0/8`)
 * @throws Error if one of them is neither
 */
export function clientAddresses(
  proxies: readonly string[],
): (peer: string | undefined, headers: Headers) => string | undefined {
  const trusted = new BlockList();
  for (const proxy of proxies) {
    const [, address = "", bits] = /^([^/]+)(?:\/(\d+))?$/.exec(proxy) ?? [];
    const [version, most] = isIP(address) === 6 ? (["ipv6", 128] as const) : (["ipv4", 32] as const);
    if (isIP(address) === 0 || Number(bits ?? 0) > most) {
      throw new Error(`--trusted-proxy must be an address or a network, as in 127.0.0.1 or 10.0.0.0/8, not ${proxy}.`);
    }
    trusted.addSubnet(address, Number(bits ?? most), version);
  }
  const isProxy = (address: string) => trusted.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
  return (peer, headers) => {
    // A port that serves both versions shows addresses of the older one in the form of the newer.
    let client = peer?.replace(/^::ffff:(?=[\d.]+$)/, "");
    if (client === undefined || proxies.length === 0) return client;
    for (const part of (headers.get("x-forwarded-for") ?? "").split(",").toReversed()) {
      if (!isProxy(client) || isIP(part.trim()) === 0) break;
      client = part.trim();
    }
    return client;
  };
}
