import { isObject } from '../check/facts.ts';

const ADDRESS = /^\/ds\/([\w.]+)\/([\w.]+)$/;
const DATA_KEYS = ['api', 'initApi', 'source'];
const NOTICE = {
  type: 'alert',
  level: 'warning',
  showIcon: true,
  body: '该区域的数据配置已变更，请联系管理员',
};

/** Whether the user may; null: what it names is not there any more. */
export interface Allowed {
  data(datasetCode: string, operation: string): boolean | null;
  window(name: string): boolean | null;
}

const verdictOf = (value: unknown, allowed: Allowed): boolean | null => {
  const url = isObject(value) ? value['url'] : value;
  const [, code, operation] = typeof url === 'string' ? (ADDRESS.exec(url) ?? []) : [];
  return code === undefined || operation === undefined ? true : allowed.data(code, operation);
};

const hostVerdict = (node: Readonly<Record<string, unknown>>, allowed: Allowed): boolean | null => {
  const { type, dataset, stat, column } = node;
  if (type === 'kq-window') return allowed.window(String(node['window']));
  if (typeof dataset !== 'string') return true;
  if (type === 'kq-export') return allowed.data(dataset, 'export');
  if (type === 'kq-import') return allowed.data(dataset, 'import');
  if (type === 'kq-timeline') return allowed.data(dataset, 'detail');
  if (type === 'kq-picker') return allowed.data(dataset, `options.${String(node['options'])}`);
  if (type === 'kq-chart') return allowed.data(dataset, `stat.${String(stat)}`);
  // The masked value is shown to everybody; who may see more is told by the dataset's facts.
  if (type === 'kq-reveal') return allowed.data(dataset, `reveal.${String(column)}`) === null ? null : true;
  return true;
};

/** How this component itself stands: by its own addresses, or what its dialog would send. */
function verdictOfNode(node: Readonly<Record<string, unknown>>, allowed: Allowed): boolean | null {
  const own = [...DATA_KEYS.map((key) => verdictOf(node[key], allowed)), hostVerdict(node, allowed)];
  if (own.includes(null)) return null;
  if (own.includes(false)) return false;
  const opened = node['dialog'] ?? node['drawer'];
  if (!isObject(opened)) return true;
  const forms = formsIn(opened);
  // A dialog whose every form is closed to the user would be an empty window, unless it shows data besides.
  if (forms.length > 0 && !readsIn(opened, allowed) && forms.every((form) => verdictOf(form['api'], allowed) === false)) return false;
  return true;
}

function formsIn(value: unknown): Readonly<Record<string, unknown>>[] {
  if (Array.isArray(value)) return value.flatMap(formsIn);
  if (!isObject(value)) return [];
  if (value['type'] === 'form' && value['api'] !== undefined) return [value];
  return Object.values(value).flatMap(formsIn);
}

/** Whether something that is no form shows data which the user may read. */
function readsIn(value: unknown, allowed: Allowed): boolean {
  if (Array.isArray(value)) return value.some((one: unknown) => readsIn(one, allowed));
  if (!isObject(value) || value['type'] === 'form') return false;
  if (value['type'] === 'crud' && value['api'] !== undefined) return verdictOf(value['api'], allowed) === true;
  return Object.values(value).some((one) => readsIn(one, allowed));
}

/** The definition as this user sees it: a block that he may not use is not there, one whose data are gone says so. */
export function pruned(value: unknown, allowed: Allowed): unknown {
  if (Array.isArray(value)) {
    return value.flatMap((one: unknown) => {
      const verdict = isObject(one) ? verdictOfNode(one, allowed) : true;
      if (verdict === null) return [NOTICE];
      return verdict ? [pruned(one, allowed)] : [];
    });
  }
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, one]) => {
      if (!isObject(one) || key === 'api' || key === 'initApi' || key === 'source' || key === 'data')
        return [[key, pruneLeaf(key, one, allowed)]];
      const verdict = verdictOfNode(one, allowed);
      if (verdict === null) return [[key, NOTICE]];
      return verdict ? [[key, pruned(one, allowed)]] : [];
    }),
  );
}

const pruneLeaf = (key: string, value: unknown, allowed: Allowed) =>
  key === 'data' ? value : isObject(value) ? value : pruned(value, allowed);
