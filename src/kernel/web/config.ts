import type { Host } from '../contract/call.ts';
import { APP_OPEN_URL } from '../contract/linkPlaces.ts';

/** What the server writes into index.html (`<script type="application/json" id="kangqiao-config">`). */
export interface WebConfig {
  prefixes: Readonly<Record<Host, string>>;
  /** On this deployment domain the product path segment is another one. */
  productRewrite: { host: string; segment: string } | null;
  /** Web address that the platform opens as the patients' mini program. */
  appOpenUrl: string;
  /** Build that this page came from; another one in a response header announces a new version. */
  buildId: string;
  mode: 'demo' | 'production' | 'test';
}

const defaults: WebConfig = {
  prefixes: { admin: '/admin', gateway: '/gateway', product: '/product', intranet: '/intranet' },
  productRewrite: null,
  appOpenUrl: APP_OPEN_URL,
  buildId: '',
  mode: 'production',
};

/** Completes what the page carries with the defaults; text that is no JSON object counts as empty. */
export function parseConfig(text: string): WebConfig {
  try {
    const given: unknown = JSON.parse(text);
    if (given === null || typeof given !== 'object') return defaults;
    const some = given as Partial<WebConfig>;
    return { ...defaults, ...some, prefixes: { ...defaults.prefixes, ...some.prefixes } };
  } catch {
    return defaults;
  }
}

let read: WebConfig | undefined;

/** Configuration of this page, read once. */
export function webConfig(): WebConfig {
  read ??= parseConfig(globalThis.document?.getElementById('kangqiao-config')?.textContent ?? '');
  return read;
}

/** Path prefix of a host on the domain that the page was opened on. */
export function prefixOf(host: Host, config: WebConfig = webConfig(), domain = globalThis.location?.hostname ?? ''): string {
  if (host === 'product' && config.productRewrite?.host === domain) {
    return `/${config.productRewrite.segment.replaceAll(/^\/|\/$/g, '')}`;
  }
  return config.prefixes[host].replace(/\/$/, '');
}
