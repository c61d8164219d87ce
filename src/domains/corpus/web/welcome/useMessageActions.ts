import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { confirmDelete } from '#kernel/web/feedback/dialogs.tsx';
import { askTransition } from '#kernel/web/feedback/askTransition.ts';
import { SERVER_MESSAGE, useCommand } from '#kernel/web/http/queries.ts';
import {
  auditWelcomeMessage,
  delWelcomeMessage,
  queryWelcomeMessageDetail,
  queryWelcomeMessageList,
  type WelcomeRow,
} from '../../contract/welcome/calls.ts';
import { autoKind, autoMachine, type AutoAction } from '../../contract/welcome/dictionaries.ts';

const refreshes = [queryWelcomeMessageList, queryWelcomeMessageDetail];

/**
 * The actions on automatic messages, each with its question. Their audit is one of them, at the record itself: there is no queue to work
 * through.
 */
export function useMessageActions() {
  const audit = useCommand(auditWelcomeMessage, { success: SERVER_MESSAGE, refreshes });
  const removal = useCommand(delWelcomeMessage, { success: SERVER_MESSAGE, refreshes });
  const take = async (
    row: Pick<WelcomeRow, 'id' | 'version' | 'name' | 'kind' | 'triggerType' | 'scope' | 'summary'>,
    action: AutoAction,
  ) => {
    const given = await askTransition(
      autoMachine,
      action,
      `${autoKind.label(row.kind)}“${row.name}”`,
      factsIn(queryWelcomeMessageList.output, row, ['triggerType', 'scope', 'summary']),
    );
    if (given !== null) await audit.run({ id: row.id, version: row.version, action, ...(given && { opinion: given }) });
  };
  const remove = async (row: Pick<WelcomeRow, 'id' | 'version' | 'name' | 'kind'>) => {
    if (await confirmDelete(`${autoKind.label(row.kind)}“${row.name}”`)) await removal.run({ id: row.id, version: row.version });
  };
  return { take, remove, busy: audit.busy };
}
