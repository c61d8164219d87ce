import { lazy } from 'react';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { askTransition } from '#kernel/web/feedback/askTransition.ts';
import { SERVER_MESSAGE, useCommand } from '#kernel/web/http/queries.ts';
import type { RowAction } from '#kernel/web/kit/columns.ts';
import type { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { useSession } from '#kernel/web/session/store.ts';
import {
  claimException,
  ignoreException,
  queryExceptionList,
  resolveException,
  type ExceptionRow,
} from '../../contract/calls/exceptions.ts';
import { exceptionMachine } from '../../contract/exceptionStates.ts';
import { orderPermissions as may } from '../../contract/permissions.ts';
import { exceptionReads } from '../exceptionReads.ts';

const TransferForm = lazy(async () => ({ default: (await import('./TransferForm.tsx')).TransferForm }));

/** What may be done with an exception in every list of them; one that somebody else handles is only taken over. */
export function useExceptionActions(layers: ReturnType<typeof useLayers>): readonly RowAction<ExceptionRow>[] {
  const me = useSession(({ userId }) => userId);
  const options = { success: SERVER_MESSAGE, refreshes: exceptionReads } as const;
  const claim = useCommand(claimException, options);
  const resolve = useCommand(resolveException, options);
  const ignore = useCommand(ignoreException, options);
  const close = async (row: ExceptionRow, action: 'resolve' | 'ignore') => {
    const facts = factsIn(queryExceptionList.output, row, ['exceptionNo', 'orderNo', 'type', 'detail']);
    const opinion = await askTransition(exceptionMachine, action, `异常工单“${row.exceptionNo}”`, facts);
    if (opinion !== null) await (action === 'resolve' ? resolve : ignore).run({ exceptionId: row.id, version: row.version, opinion });
  };
  const isMine = ({ state, ownerId }: ExceptionRow) => state !== 'HANDLING' || ownerId === me;
  const offers = (row: ExceptionRow, action: 'claim' | 'transfer' | 'resolve' | 'ignore') => row.allowedActions.includes(action);
  return [
    {
      label: '领取',
      permission: may['exception.handle'],
      when: (row) => offers(row, 'claim'),
      act: (row) => claim.run({ exceptionId: row.id, version: row.version }),
    },
    {
      label: '解决',
      permission: may['exception.handle'],
      when: (row) => offers(row, 'resolve') && isMine(row),
      act: (row) => close(row, 'resolve'),
    },
    {
      label: '转交',
      permission: may['exception.handle'],
      when: (row) => offers(row, 'transfer') && isMine(row),
      act: (row) => layers.open((done) => <TransferForm exception={row} onClose={done} />),
    },
    {
      label: '忽略',
      permission: may['exception.ignore'],
      danger: true,
      when: (row) => offers(row, 'ignore'),
      act: (row) => close(row, 'ignore'),
    },
  ];
}
