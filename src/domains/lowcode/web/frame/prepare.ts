type Json = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

const ADDRESS_KEYS = new Set(['api', 'initApi', 'source']);
const SHORTEST_INTERVAL = 3_000;

/** An address sends what it sends as an object, never in its text. */
function prepareAddress(value: unknown): unknown {
  if (typeof value === 'string') return value.startsWith('/ds/') ? { method: 'post', url: value } : value;
  return isObject(value) && typeof value['url'] === 'string' ? { method: 'post', ...value } : value;
}

/**
 * Texts that the renderer shows as text, by the component that has them: what it fills into them it writes as markup unless it is told
 * not to.
 */
const TEXTS: Readonly<Record<string, readonly string[]>> = {
  plain: ['text', 'tpl'],
  ...Object.fromEntries(
    ['button', 'action', 'submit', 'reset', 'dropdown-button'].map((type) => [type, ['label', 'confirmText', 'confirmTitle', 'tooltip']]),
  ),
  dialog: ['title'],
  drawer: ['title'],
  status: ['label'],
};

/** Where an expression that begins at `from` ends: brackets within it and in its quotes are its own. */
function endOf(text: string, from: number): number {
  let depth = 1;
  let quote = '';
  for (let at = from; at < text.length; at += 1) {
    const one = text.charAt(at);
    if (quote !== '') {
      if (one === '\\') at += 1;
      else if (one === quote) quote = '';
    } else if (one === '"' || one === "'" || one === '`') quote = one;
    else if (one === '{') depth += 1;
    else if (one === '}') {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  return -1;
}

/** Every `${…}` of a text that is shown as text gives its value as it is. */
export function asText(text: string): string {
  let made = '';
  let rest = text;
  for (;;) {
    const start = rest.indexOf('${');
    const end = start === -1 ? -1 : endOf(rest, start + 2);
    if (end === -1) return made + rest;
    made += `${rest.slice(0, end)} | raw}`;
    rest = rest.slice(end + 1);
  }
}

const CHOSEN = /select|radio|checkbox|date|time|month|year|tree|picker|region|switch|rating/;
/** What is asked of a field that must be filled is its own name, not that something must be. */
const missingText = (type: string, label: string): string =>
  `${/file|image|upload/.test(type) ? '请上传' : CHOSEN.test(type) ? '请选择' : '请输入'}${label}`;

/** Fields of a search that stand in its first line, and in each that is opened. */
const FIRST_LINE = 3;
const LINE = 4;

/** A search over several lines shows its first one with the buttons; the others are opened by who wants them, as on the product's lists. */
function folded(filter: unknown): unknown {
  if (!isObject(filter) || filter['className'] !== 'kq-filter' || !Array.isArray(filter['body'])) return filter;
  const parts: unknown[] = filter['body'].flatMap((row: unknown): unknown[] =>
    isObject(row) && row['type'] === 'group' && Array.isArray(row['body']) ? row['body'] : [row],
  );
  const buttons = parts.filter(isObject).find((part) => part['type'] === 'button-toolbar');
  const fields = parts.filter((part) => part !== buttons);
  if (!buttons || !Array.isArray(buttons['buttons']) || fields.length <= FIRST_LINE) return filter;
  const more = fields.slice(FIRST_LINE);
  const unfold = { type: 'kq-unfold', names: more.filter(isObject).map(({ name }) => name) };
  const first = [...fields.slice(0, FIRST_LINE), { ...buttons, buttons: [...(buttons['buttons'] as readonly unknown[]), unfold] }];
  const lines = Array.from({ length: Math.ceil(more.length / LINE) }, (_, at) => more.slice(at * LINE, (at + 1) * LINE));
  return {
    ...filter,
    body: [{ type: 'group', body: first }, ...lines.map((body) => ({ type: 'group', className: 'kq-more', body }))],
  };
}

/** A cell without a value shows the product's dash. */
const withDash = (column: unknown): unknown =>
  isObject(column) && column['type'] !== 'operation' ? { placeholder: '—', ...column } : column;

/** The pages of a list say at one place how many rows one has, behind them, as the product's lists do. */
function pagesAtEnd(toolbar: unknown): unknown {
  if (!Array.isArray(toolbar) || !toolbar.includes('pagination')) return toolbar;
  const layout = toolbar.includes('switch-per-page') ? ['pager', 'perPage', 'go'] : ['pager'];
  return toolbar
    .filter((one: unknown) => one !== 'switch-per-page')
    .map((one: unknown) => (one === 'pagination' ? { type: 'pagination', align: 'right', layout } : one));
}

/** The definition as the renderer is given it: what is checked stays, what the renderer would guess is said. */
export function prepared(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map((one: unknown) => prepared(one));
  if (ADDRESS_KEYS.has(key)) return prepareAddress(value);
  if (!isObject(value)) return value;
  const made: Record<string, unknown> = Object.fromEntries(Object.entries(value).map(([name, one]) => [name, prepared(one, name)]));
  if (typeof made['interval'] === 'number') made['interval'] = Math.max(SHORTEST_INTERVAL, made['interval']);
  // Whole parts of the renderer are shown by its own programs when a value looks like one: a value is text.
  // A window that hangs on a button needs no type of its own.
  const type = made['type'] ?? (key in TEXTS ? key : undefined);
  for (const name of typeof type === 'string' ? (TEXTS[type] ?? []) : []) {
    const text = made[name];
    if (typeof text === 'string') made[name] = asText(text);
  }
  const { name: field, label, required } = made;
  if (required === true && typeof type === 'string' && typeof field === 'string' && typeof label === 'string' && !label.includes('${'))
    made['validationErrors'] = { isRequired: missingText(type, label) };
  if (type === 'crud') {
    made['syncLocation'] ??= true;
    made['alwaysShowPagination'] = true;
    made['pageField'] = 'page';
    made['perPageField'] = 'perPage';
    made['filter'] = folded(made['filter']);
    made['footerToolbar'] = pagesAtEnd(made['footerToolbar']);
    if (Array.isArray(made['columns'])) made['columns'] = made['columns'].map(withDash);
  }
  return made;
}
