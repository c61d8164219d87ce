import QRCode from 'qrcode';
import { yuan } from '../../contract/money.ts';

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escape = (text: string) => text.replaceAll(/[&<>"']/g, (sign) => ESCAPES[sign]!);

const STYLE = `body{margin:0;font:16px/1.6 -apple-system,"PingFang SC","Noto Sans SC","Microsoft YaHei",sans-serif;background:#f4f6f8;color:#1d2129}
main{max-width:420px;margin:0 auto;padding:48px 24px;text-align:center}
.card{background:#fff;border-radius:12px;padding:32px 20px;box-shadow:0 2px 12px rgba(0,0,0,.06)}
h1{font-size:18px;margin:0 0 8px;overflow-wrap:anywhere}p{margin:6px 0;color:#56606b;overflow-wrap:anywhere}
.sum{font-size:32px;color:#1d2129;font-weight:600}img{width:220px}
button,a.button{display:block;width:100%;box-sizing:border-box;margin-top:12px;padding:10px;border:1px solid #0b7a68;border-radius:24px;background:#fff;color:#0b7a68;font:inherit;text-decoration:none}
button.main,a.button{background:#0b7a68;color:#fff}`;

export const PAY_CSP =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

const page = (title: string, body: string) =>
  `<!doctype html><html lang="zh-CN"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex"><title>${escape(title)}</title><style>${STYLE}</style></head><body><main><div class="card">${body}</div></main></body></html>`;

/** A page that says one thing. */
export const sayPage = (title: string, line: string) => page(title, `<h1>${escape(title)}</h1><p>${escape(line)}</p>`);

const sum = (amountFen: number) => `<p class="sum">¥${yuan(amountFen)}</p>`;

/** The channel's code, for the payer's phone. */
export async function codePage(order: { subject: string; amountFen: number }, address: string): Promise<string> {
  const picture = await QRCode.toDataURL(address, { margin: 1, width: 440 });
  return page(
    '微信支付',
    `<h1>${escape(order.subject)}</h1>${sum(order.amountFen)}<p><img src="${picture}" alt="微信支付二维码"></p><p>请用微信扫码，或在微信中长按识别</p><a class="button" href="">我已支付</a>`,
  );
}

/** The stand-in's page: whoever sees it chooses how the payment ends. */
export const simulatedPage = (order: { subject: string; amountFen: number }) =>
  page(
    '模拟支付',
    `<h1>${escape(order.subject)}</h1>${sum(order.amountFen)}<p>本环境未接入真实支付渠道，不会产生资金往来</p><form method="post"><button class="main" name="outcome" value="SUCCESS">支付成功</button><button name="outcome" value="FAILURE">支付失败</button><button name="outcome" value="UNKNOWN">结果未知</button></form>`,
  );

interface SimplePage {
  title: string;
  lines: readonly (readonly [label: string, value: string])[];
  /** What was wrong with what was sent. */
  told: string | null;
  link: { address: string; label: string };
  form: {
    action: string;
    input: { name: string; label: string; max: number };
    check: { name: string; label: string };
    submit: string;
  } | null;
}

/** Facts, a link, and what somebody without an account confirms. */
export function simplePage({ title, lines, told, link, form }: SimplePage): string {
  const facts = lines.map(([label, value]) => `<p>${escape(label)}：${escape(value)}</p>`).join('');
  const anchor = `<a class="button" href="${escape(link.address)}">${escape(link.label)}</a>`;
  const alert = told === null ? '' : `<p role="alert" style="color:#b42318">${escape(told)}</p>`;
  const asked =
    form === null
      ? ''
      : `<form method="post" action="${escape(form.action)}"><p><label>${escape(form.input.label)}<br><input name="${form.input.name}" maxlength="${form.input.max}" autocomplete="off" required></label></p><p><label><input type="checkbox" name="${form.check.name}" required> ${escape(form.check.label)}</label></p><button class="main">${escape(form.submit)}</button></form>`;
  return page(title, `<h1>${escape(title)}</h1>${facts}${anchor}${alert}${asked}`);
}
