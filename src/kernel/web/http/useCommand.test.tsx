import { QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { access } from '../../contract/call.ts';
import { declareService, nothing } from '../../contract/service.ts';
import { useNotice } from '../feedback/notice.ts';
import { UnreadScope, type Unread } from '../form/unread.ts';
import { queryClient } from './queryClient.ts';
import { useCommand } from './queries.ts';

const service = declareService('ThingService');
const base = { access: access.public, label: '保存', input: { id: z.string(), name: z.string() }, output: nothing } as const;
const modify = service.act({ ...base, operation: 'modifyThing' });
const audit = service.act({ ...base, operation: 'auditThing' });

let sent: unknown[];
beforeEach(() => {
  vi.useFakeTimers();
  sent = [];
  vi.stubGlobal('localStorage', { getItem: () => null });
  vi.stubGlobal('fetch', async (_url: string, init: { body: string }) => {
    sent.push(JSON.parse(init.body));
    return new Response('{"code":"0000000","message":"","data":{}}');
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function commandOf(made: typeof modify, unread: Unread = new Map()) {
  let act: ReturnType<typeof useCommand<typeof modify>> | undefined;
  function Page() {
    act = useCommand(made);
    return null;
  }
  renderToStaticMarkup(
    <QueryClientProvider client={queryClient}>
      <UnreadScope value={unread}>
        <Page />
      </UnreadScope>
    </QueryClientProvider>,
  );
  return act!.run;
}

test('a save is made 300 ms after the last click, once, with the last input; one on another record comes too early', async () => {
  const run = commandOf(modify);
  const first = run({ id: '1', name: 'a' });
  await vi.advanceTimersByTimeAsync(299);
  expect(sent).toEqual([]);
  const second = run({ id: '1', name: 'b' });
  expect(await run({ id: '2', name: 'c' })).toBe(null);
  await vi.advanceTimersByTimeAsync(300);
  expect(await first).toEqual(await second);
  expect(sent).toEqual([{ id: '1', name: 'b' }]);
});

test('nothing is sent as long as a field of the dialog holds what could not be read', async () => {
  const unread: Unread = new Map([['amount', '金额最多两位小数']]);
  const run = commandOf(audit, unread);
  expect(await run({ id: '1', name: 'a' })).toBe(null);
  expect(sent).toEqual([]);
  unread.clear();
  expect(await run({ id: '1', name: 'a' })).not.toBe(null);
  expect(sent).toHaveLength(1);
});

test('any other act is made at once, and not twice while it is under way', async () => {
  const run = commandOf(audit);
  const first = run({ id: '1', name: 'a' });
  expect(await run({ id: '1', name: 'a' })).toBe(null);
  expect(await first).not.toBe(null);
  expect(sent).toHaveLength(1);
});

test('who changed the record is said until the next try, also where no form says it', async () => {
  const run = commandOf(audit);
  const answer = (text: string) => vi.stubGlobal('fetch', async () => new Response(text));
  answer('{"code":"SCM90030","message":"该记录已被王芳修改，请查看变化后重试","data":null}');
  expect(await run({ id: '1', name: 'a' })).toBe(null);
  expect(useNotice.getState().text).toBe('该记录已被王芳修改，请查看变化后重试');
  answer('{"code":"SCM90020","message":"请求内容有误，请检查标出的字段","data":null}');
  expect(await run({ id: '1', name: 'a' })).toBe(null);
  expect(useNotice.getState().text).toBe(null);
});
