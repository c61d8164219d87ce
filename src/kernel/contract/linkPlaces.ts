// What links and cards may lead to. Hosts and mini programs are agreed with the platforms, so they change with the product.

/** Hosts of articles; a host means itself alone, not those below it. */
export const articleHosts = [
  'mp.weixin.qq.com',
  'www.nhc.gov.cn',
  'www.chinacdc.cn',
  'www.cma.org.cn',
  'www.kangqiao.com',
  'edu.kangqiao.com',
] as const;

/** Mini programs that a card may open. */
export const miniApps = [
  { appId: 'wx8f2a61c0d3b74e95', name: '康桥患者端' },
  { appId: 'wx3d90b7e25fa1c684', name: '康桥药房' },
  { appId: 'wx61e4c8a0972bdf35', name: '康桥保障' },
] as const;

/** Web address that the platform opens as the mini program, where no other is configured; the program reads from the query where to go. */
export const APP_OPEN_URL = 'https://www.kangqiao.com/open';

/** A page inside the mini program: `/`, and no address of the web that begins like one. */
export const miniPath = /^\/(?!\/)[\w\-./?=&%]*$/;

export function isAllowedLink(url: string): boolean {
  try {
    const { protocol, host, username, password } = new URL(url);
    return protocol === 'https:' && username === '' && password === '' && articleHosts.some((allowed) => allowed === host);
  } catch {
    return false;
  }
}
