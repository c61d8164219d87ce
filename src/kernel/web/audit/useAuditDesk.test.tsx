import { QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it, vi } from 'vitest';
import * as z from 'zod/mini';
import { access } from '../../contract/call.ts';
import { declareService } from '../../contract/service.ts';
import { provideToasts } from '../feedback/toast.ts';
import { queryClient } from '../http/queryClient.ts';
import { placeIn, useAuditDesk } from './useAuditDesk.ts';

const queryCase = declareService('CaseService').read({
  operation: 'queryCase',
  label: '查询申请',
  access: access.public,
  input: { id: z.string() },
  output: z.strictObject({ id: z.string() }),
});

it.each([
  ['1', { at: 0, previous: undefined, next: '2' }],
  ['2', { at: 1, previous: '1', next: '3' }],
  ['3', { at: 2, previous: '2', next: undefined }],
] as const)('%s stands between its neighbours', (caseId, place) => {
  expect(placeIn(['1', '2', '3'], caseId)).toEqual(place);
});

it('a case that the list does not show has nobody before it and the first of the list after it', () => {
  expect(placeIn(['1', '2'], '9')).toEqual({ at: -1, previous: undefined, next: '1' });
  expect(placeIn([], '9')).toEqual({ at: -1, previous: undefined, next: undefined });
});

function deskOf(caseId: string, queue: readonly string[], onGo: (id: string | undefined) => void) {
  let desk: ReturnType<typeof useAuditDesk<typeof queryCase>> | undefined;
  function Page() {
    desk = useAuditDesk({ caseId, queue, call: queryCase, inputOf: (id) => ({ id }), none: '没有更多申请了', onGo });
    return null;
  }
  renderToStaticMarkup(
    <QueryClientProvider client={queryClient}>
      <Page />
    </QueryClientProvider>,
  );
  return desk!.panel;
}

it('steps from case to case, stays at the end of the queue and closes', () => {
  const onGo = vi.fn();
  const told = vi.fn();
  provideToasts(told);
  const middle = deskOf('2', ['1', '2', '3'], onGo);
  expect(middle).toMatchObject({ caseId: '2', position: '2 / 3' });
  middle.onNext();
  middle.onPrevious();
  middle.onClose();
  expect(onGo.mock.calls).toEqual([['3'], ['1'], [undefined]]);
  const alone = deskOf('9', [], onGo);
  expect(alone).not.toHaveProperty('position');
  alone.onNext();
  expect(onGo).toHaveBeenCalledTimes(3);
  expect(told.mock.calls).toEqual([['info', '没有更多申请了', 2]]);
});
