import './frame.css';
import './look.css';
import type { ToFrame, Tone } from '../bridge/messages.ts';
import { wordOf } from '../../contract/words.ts';
import { openChannel, type Channel } from './channel.ts';
import { registerHostComponents } from './hostComponents.ts';
import { prepared } from './prepare.ts';
import { loadRenderer, type Embedded, type Renderer } from './sdk.ts';

// Runs inside the frame: the renderer, and a channel to the page around it. It has no network, no session and no address of its own.

type Show = Extract<ToFrame, { kind: 'show' }>;

const TONES: readonly Tone[] = ['success', 'error', 'warning', 'info'];
/** What the renderer says of lists, and of a form with faults, as the product says it. */
const WORDS = {
  'CRUD.stat': '共 {{total}} 条',
  'Pagination.goto': '跳至',
  'Pagination.go': '页',
  'Form.validateFailed': '请检查标出的字段',
};
let shown: Embedded | null = null;
let registered = false;

const textOf = wordOf;

/** Formulas alone; whatever else the renderer takes for a program is nothing. */
function closeEvaluators({ amis }: Renderer): void {
  const formula = (text: unknown, data: unknown): boolean => {
    if (typeof text !== 'string' || !/^\$\{[\s\S]*\}$/.test(text)) return false;
    return Boolean(amis.evaluate(text, data, { defaultFilter: 'raw' }));
  };
  amis.setCustomEvalExpression(formula);
  amis.setCustomEvalJs(() => undefined);
}

/** What is sent is data: own values, without what the renderer hangs on them. */
function plain(value: unknown): Readonly<Record<string, unknown>> {
  const copy: unknown = JSON.parse(JSON.stringify(value ?? {}));
  return typeof copy === 'object' && copy !== null && !Array.isArray(copy) ? { ...copy } : {};
}

/** What stands in the address's query, where the renderer put it there. */
function splitUrl(url: string): { url: string; query: Record<string, unknown> } {
  const [place = '', query = ''] = url.split('?');
  return { url: place, query: Object.fromEntries(new URLSearchParams(query)) };
}

const environment = (channel: Channel) => ({
  theme: 'antd',
  async fetcher(request: { url: string; data?: unknown }) {
    const { url, query } = splitUrl(request.url);
    const answer = await channel.ask({ kind: 'call', url, data: { ...query, ...plain(request.data) } });
    return { status: 200, headers: {}, data: answer };
  },
  wsFetcher: () => ({ close() {} }),
  isCancel: () => false,
  notify: (tone: string, text: unknown) =>
    channel.post({ kind: 'notify', tone: TONES.find((one) => one === tone) ?? 'info', text: textOf(text) }),
  alert: (text: unknown) => channel.post({ kind: 'notify', tone: 'info', text: textOf(text) }),
  confirm: (text: unknown, title?: unknown) => channel.ask({ kind: 'confirm', text: textOf(text), title: textOf(title) }),
  jumpTo: (href: unknown) => channel.post({ kind: 'navigate', href: textOf(href) }),
  updateLocation: (query: unknown) => channel.post({ kind: 'state', query: textOf(query) }),
  isCurrentUrl: () => false,
  copy(text: unknown) {
    if (typeof text === 'string') channel.post({ kind: 'copy', text });
    return true;
  },
  getModalContainer: () => document.body,
  blockRouting: () => () => {},
});

function paint({ theme, dark }: Pick<Show, 'theme' | 'dark'>): void {
  for (const [name, value] of Object.entries(theme)) document.documentElement.style.setProperty(name, value);
  document.documentElement.dataset['theme'] = dark ? 'dark' : 'light';
}

async function show(message: Show, channel: Channel): Promise<void> {
  paint(message);
  const renderer = await loadRenderer();
  if (!registered) {
    closeEvaluators(renderer);
    registerHostComponents(renderer, channel);
    handOnKeys(channel);
    renderer.amis.extendLocale('zh-CN', WORDS);
    registered = true;
  }
  shown?.unmount();
  const root = document.getElementById('root');
  if (!root) return;
  const { query } = message;
  const search = new URLSearchParams(query).toString();
  shown = renderer.embed(
    root,
    prepared(message.definition),
    {
      locale: 'zh-CN',
      // Whoever shows rows and charts finds the datasets' facts here.
      data: { query, kqDatasets: message.datasets },
      location: { pathname: '/', search: search === '' ? '' : `?${search}`, query, hash: '', state: null },
    },
    environment(channel),
  );
  channel.post({ kind: 'shown' });
}

openChannel((message, channel) => {
  if (message.kind === 'show') show(message, channel).catch((error: unknown) => channel.post({ kind: 'failed', text: String(error) }));
  if (message.kind === 'theme') paint(message);
  if (message.kind === 'search') toSearch();
  if (message.kind === 'stop') {
    shown?.unmount();
    shown = null;
  }
});

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]');

const toSearch = () => document.querySelector<HTMLElement>('.kq-filter input:not([type=submit])')?.focus();

/** Presses with Alt, Ctrl+K and the help are the product's: the frame hands them on. `/` is the search's, here as on its lists. */
function handOnKeys(channel: Channel): void {
  window.addEventListener('keydown', (event) => {
    const { key, code, altKey: alt, shiftKey: shift } = event;
    if (event.isComposing || key === 'Alt') return;
    const ctrl = event.ctrlKey || event.metaKey;
    const typed = !ctrl && !isField(event.target);
    if (typed && key === '/') {
      event.preventDefault();
      toSearch();
    } else if (alt || (ctrl && key.toLowerCase() === 'k') || (typed && key === '?')) {
      event.preventDefault();
      channel.post({ kind: 'key', key, code, alt, ctrl, shift });
    }
  });
}

// A text that is cut is whole on hover.
document.addEventListener('pointerover', ({ target }) => {
  const cell = target instanceof Element ? target.closest('td') : null;
  if (cell && cell.title === '' && cell.scrollWidth > cell.clientWidth) cell.title = cell.innerText;
});

// A link of a row is a page of the product, not of the frame.
document.addEventListener(
  'click',
  (event) => {
    const link = event.target instanceof Element ? event.target.closest('a[href]') : null;
    if (link) event.preventDefault();
  },
  true,
);
