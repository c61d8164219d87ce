import type { AnswerOf } from '#kernel/contract/call.ts';
import { platformErrors } from '#kernel/contract/errors.ts';
import { send } from '#kernel/web/http/client.ts';
import { isSessionEnd } from '#kernel/web/http/errorLaw.ts';
import { RefusalError } from '#kernel/web/http/refusal.ts';
import { queryDataset, runDatasetAction, type queryPageByToken } from '../../contract/calls/data.ts';
import type { FrameAnswer } from './messages.ts';

type Facts = AnswerOf<typeof queryPageByToken>['datasets'][number];
type Values = Readonly<Record<string, unknown>>;

/** Whose data a frame asks for. */
export interface PageOfFrame {
  pageToken: string;
  versionId: string;
  datasets: readonly Facts[];
}

/** What became of an action, for who must tell more than a toast does. */
export interface Done {
  outcomes: AnswerOf<typeof runDatasetAction>['outcomes'];
  failed: number;
  message: string;
  data: unknown;
}

const ADDRESS = /^\/ds\/([\w.]+)\/([\w.]+)$/;
const PAGE_SIZE = 10;

const numberOf = (value: unknown, fallback: number): number => {
  const number = Number(value);
  return Number.isSafeInteger(number) && number > 0 ? number : fallback;
};
const textOf = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '');

type Sent = string | number | boolean | null | (string | number | boolean | null)[] | Record<string, string | number | boolean | null>[];
const isScalar = (value: unknown): value is string | number | boolean | null =>
  value === null || ['string', 'number', 'boolean'].includes(typeof value);

/** A value as the call takes it; what is none is left out. */
function sent(value: unknown): Sent | undefined {
  if (isScalar(value)) return value;
  if (!Array.isArray(value)) return undefined;
  const items: unknown[] = value;
  if (items.every(isScalar)) return items;
  return items.flatMap((one) => {
    if (typeof one !== 'object' || one === null) return [];
    return [
      Object.fromEntries(Object.entries(one).filter((entry): entry is [string, string | number | boolean | null] => isScalar(entry[1]))),
    ];
  });
}

/** Of what the renderer sends, what is meant: it sends all it knows. */
const chosen = (data: Values, keys: readonly string[]): Record<string, Sent> =>
  Object.fromEntries(
    keys.flatMap((key) => {
      const value = sent(data[key]);
      return value === undefined || value === '' || value === null ? [] : [[key, value]];
    }),
  );

const refused = (error: unknown): FrameAnswer => {
  if (!(error instanceof RefusalError)) return { status: 1, msg: error instanceof Error ? error.message : '请求失败' };
  if (error.code !== platformErrors.MALFORMED.code || error.fields.length === 0) return { status: 1, msg: error.message };
  const errors = Object.fromEntries(error.fields.map(({ path, message }) => [path.replace(/^(input|filters)\./, ''), message]));
  return { status: 422, msg: error.fields[0]?.message ?? error.message, errors };
};

/** Distinct values of the page's coded columns, for what depends on whether any row is in a state. */
function setsOf(facts: Facts, items: readonly Values[]): Values {
  const coded = facts.columns.filter(({ options }) => options.length > 0);
  return Object.fromEntries(coded.map(({ key }) => [`${key}Set`, [...new Set(items.map((row) => row[key]))]]));
}

/**
 * Sends what the frame asks for through the product's own calls. @param hears of what the frame does not show: `gone`: the version that
 * is shown is not the published one any more; `listed`: null, or why a list was not read
 */
export function dataCalls(page: PageOfFrame, hears: { done(done: Done): void; gone(): void; listed(failure: unknown): void }) {
  const place = (datasetCode: string) => ({ pageToken: page.pageToken, versionId: page.versionId, datasetCode });
  const factsOf = (code: string) => page.datasets.find((one) => one.code === code);

  async function read(facts: Facts | undefined, code: string, operation: string, data: Values): Promise<FrameAnswer> {
    const filters = facts?.filters.map(({ key }) => key) ?? [];
    const orderBy = textOf(data['orderBy']);
    const answer = await send(
      queryDataset,
      {
        ...place(code),
        operation,
        filters: chosen(data, operation.startsWith('options.') ? ['keyword'] : filters),
        ...(operation === 'list' && orderBy !== '' && { orderBy: `${orderBy} ${data['orderDir'] === 'desc' ? 'desc' : 'asc'}` }),
        pageNo: numberOf(data['page'], 1),
        pageSize: numberOf(data['perPage'], PAGE_SIZE),
        key: textOf(data['key']),
      },
      { quiet: true },
    );
    if (operation === 'detail') return { status: 0, msg: '', data: answer.items[0] ?? {} };
    if (operation.startsWith('options.')) return { status: 0, msg: '', data: { options: answer.items } };
    return { status: 0, msg: '', data: { items: answer.items, total: answer.total, ...(facts && setsOf(facts, answer.items)) } };
  }

  async function act(facts: Facts | undefined, code: string, action: string, data: Values): Promise<FrameAnswer> {
    const inputs = facts?.actions.find((one) => one.code === action)?.inputs.map(({ key }) => key) ?? [];
    const keys = Array.isArray(data['keys']) ? data['keys'].map(textOf) : textOf(data['keys']).split(',').filter(Boolean);
    const answer = await send(runDatasetAction, {
      ...place(code),
      action,
      key: textOf(data['key']),
      keys,
      version: numberOf(data['version'], 0),
      // An emptied field is an empty text: it is meant.
      input: Object.fromEntries(inputs.flatMap((key) => (sent(data[key]) === undefined ? [] : [[key, sent(data[key]) ?? null]]))),
      opinion: textOf(data['opinion']),
      idempotencyKey: crypto.randomUUID(),
    });
    hears.done(answer);
    return { status: 0, msg: answer.failed > 0 ? '' : answer.message || '操作成功', data: {} };
  }

  return async (url: string, data: Values): Promise<FrameAnswer> => {
    const [, code = '', operation = ''] = ADDRESS.exec(url) ?? [];
    try {
      const facts = factsOf(code);
      if (operation.startsWith('action.')) return await act(facts, code, operation.slice('action.'.length), data);
      const answer = await read(facts, code, operation, data);
      if (operation === 'list') hears.listed(null);
      return answer;
    } catch (error) {
      // The expiry dialog alone says that a session is over.
      if (isSessionEnd(error)) return new Promise(() => {});
      // The renderer shows a list that was not read as one in which nothing was found.
      if (operation === 'list') hears.listed(error);
      if (error instanceof RefusalError && error.code === 'SCM03030') hears.gone();
      return refused(error);
    }
  };
}
