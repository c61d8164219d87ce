import type { AlipayConfig } from '../pay/alipay.ts';
import type { WechatPayConfig } from '../pay/wechat.ts';
import type { OutsidePort } from '../outside/ports.ts';
import type { Instant } from '../../contract/time.ts';

export type Mode = 'demo' | 'production' | 'test';

export interface Config {
  mode: Mode;
  host: string;
  port: number;
  dataDir: string;
  /** Absent: the embedded server under the data folder. */
  databaseUrl: string | null;
  databaseReadUrl: string | null;
  redisUrl: string | null;
  s3: { endpoint: string; region: string; bucket: string; accessKeyId: string; secretAccessKey: string } | null;
  /** Base64 of 32 bytes; absent: a key file in the data folder. */
  masterKey: string | null;
  adminPassword: string | null;
  demoPassword: string;
  /** Real pay channels; a missing one is simulated outside production. */
  pay: { wechat: WechatPayConfig | null; alipay: AlipayConfig | null };
  /** Systems of others that a stand-in plays: all outside production, in production those that are named. */
  simulated: readonly OutsidePort[];
  sms: { url: string; key: string } | null;
  /** Reader of documents; absent: nothing is read by machine. */
  ocr: { url: string; key: string } | null;
  /** Provider that compares names with identity numbers; absent: the simulator, in production nobody. */
  realName: { url: string; key: string } | null;
  /** The vendor's chat; absent: our own serves. `url` is the address of his REST calls, `callbackToken` signs his callbacks. */
  tencentIm: { sdkAppId: number; secretKey: string; admin: string; callbackToken: string; url: string } | null;
  prefixes: { admin: string; gateway: string; product: string; intranet: string };
  /** Deployment domain on which the product path segment is another. */
  productRewrite: { host: string; segment: string } | null;
  /** Proxies whose `X-Forwarded-For` names the caller's address. */
  trustedProxies: readonly string[];
  /** Address under which visitors reach the public pages (`https://host`); printed into QR codes. Absent: this process on loopback. */
  publicOrigin: string | null;
  /** Web address that the platform opens as the patients' mini program; ordinary codes that lead into it begin with this. */
  appOpenUrl: string;
  /**
   * Helpers of calls between browsers: address finders, and relays with the secret that they share with us. Absent: calls work where
   * browsers reach each other.
   */
  ice: { stunUrls: readonly string[]; turnUrls: readonly string[]; turnSecret: string | null } | null;
  /** Where the clock of mode `test` begins; absent: at the machine's time. */
  clockStart: Instant | null;
  /** Whoever reads `/metrics` from another machine shows it; absent: this machine alone may in production. */
  metricsToken: string | null;
  /** Calls of one session in a second, on average, before it is slowed down. */
  callsPerSecond: number;
  /** Fixed answer for captcha and SMS codes; never in production. */
  captchaAnswer: string | null;
}
