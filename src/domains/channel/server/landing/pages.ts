import { createHash } from 'node:crypto';

/** Pages that a scan opens. Nothing of the request's address is ever echoed into them. */
const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escape = (text: string) => text.replaceAll(/[&<>"']/g, (sign) => ESCAPES[sign]!);

const STYLE = `body{margin:0;font:16px/1.6 -apple-system,"PingFang SC","Noto Sans SC","Microsoft YaHei",sans-serif;background:#f4f6f8;color:#1d2129}
main{max-width:420px;margin:0 auto;padding:48px 24px;text-align:center}
.card{background:#fff;border-radius:12px;padding:32px 20px;box-shadow:0 2px 12px rgba(0,0,0,.06)}
h1{font-size:20px;margin:12px 0 6px;overflow-wrap:anywhere}p{margin:6px 0;color:#56606b;overflow-wrap:anywhere}
.mark{width:64px;height:64px;border-radius:32px;margin:0 auto;background:#e6f4f1;color:#0b7a68;font-size:28px;line-height:64px}
button{border:0;font:inherit}
.button{display:inline-block;margin-top:20px;padding:10px 48px;border-radius:24px;background:#0b7a68;color:#fff;text-decoration:none}
img{max-width:240px;width:100%}`;

/** The one style sheet above and nothing else of this page's own. */
export const LANDING_CSP = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; img-src data: https:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`;

interface Card {
  title: string;
  lines?: readonly string[];
  /** Letter in the round mark; none = no mark. */
  mark?: string;
  picture?: string | null;
  button?: { label: string; href: string };
  /** Adds the contact in the simulator, where there is no phone to press the picture. */
  form?: { label: string; action: string };
}

export function page({ title, lines = [], mark, picture, button, form }: Card): string {
  return `<!doctype html><html lang="zh-CN"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex"><title>${escape(title)}</title><style>${STYLE}</style></head><body><main><div class="card">${
    mark ? `<div class="mark">${escape(mark)}</div>` : ''
  }<h1>${escape(title)}</h1>${lines.map((line) => `<p>${escape(line)}</p>`).join('')}${picture ? `<p><img src="${escape(picture)}" alt="二维码"></p>` : ''}${
    button ? `<a class="button" href="${escape(button.href)}">${escape(button.label)}</a>` : ''
  }${form ? `<form method="post" action="${escape(form.action)}"><button class="button">${escape(form.label)}</button></form>` : ''}</div></main></body></html>`;
}

const refusal = (title: string, line: string) => page({ title, lines: [line], mark: '!' });

/** What a code that cannot be opened answers, with its HTTP status. */
export const refusals = {
  UNKNOWN: { status: 404, html: refusal('二维码无效', '请确认二维码是否完整，或联系为您提供二维码的工作人员') },
  DISABLED: { status: 410, html: refusal('二维码已停用', '请联系为您提供二维码的工作人员') },
  EXPIRED: { status: 410, html: refusal('二维码已过期', '活动已结束，感谢您的关注') },
  NOT_STARTED: { status: 200, html: refusal('活动尚未开始', '请在活动开始后再次扫码') },
  LIMIT: { status: 410, html: refusal('扫码次数已满', '该二维码的使用次数已满') },
  ENDED: { status: 410, html: refusal('活动已结束', '感谢您的关注') },
  BUSY: { status: 503, html: refusal('系统繁忙', '请稍后再次扫码') },
} as const;
