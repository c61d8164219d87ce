import { ask, confirmWithOpinion } from '../../../../kernel/web/feedback/dialogs.tsx';
import { deliveryKinds, type DeliveryKind } from '../../contract/delivery/dictionaries.ts';
import { machines, type DeliveryAction } from '../../contract/delivery/states.ts';

/** Asks what an act asks; null: it is not to be taken. */
export async function confirmAction(kind: DeliveryKind, name: string, action: DeliveryAction): Promise<string | null> {
  const { label, opinion, danger = false } = machines[kind].transitions[action];
  const question = { title: label, content: `确定要${label}${deliveryKinds.label(kind)}“${name}”吗?`, danger };
  return opinion === 'none' ? ((await ask(question)) ? '' : null) : confirmWithOpinion({ ...question, opinion });
}
