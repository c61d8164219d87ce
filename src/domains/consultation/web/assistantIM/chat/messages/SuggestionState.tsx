import { useList } from '#kernel/web/http/queries.ts';
import { Dict } from '#kernel/web/kit/values.tsx';
import { findEhrMedicineSuggested } from '#domains/patient/contract/calls/panel.ts';
import { suggestionMachine } from '#domains/patient/contract/states.ts';
import { useDeskState } from '../../desk/useDesk.ts';
import { moduleInput } from '../../panel/recordCards.ts';

/** The state of a suggestion as the record has it now; what the card was sent with is not trusted. All cards share one question. */
export default function SuggestionState({ suggestNo }: { suggestNo: string }) {
  const operatorId = useDeskState((state) => state.chat?.record?.suffererOperatorId ?? null);
  const { rows } = useList(findEhrMedicineSuggested, moduleInput('modular002', operatorId ?? '0'), {
    enabled: operatorId !== null,
    quiet: true,
    fresh: 15_000,
  });
  const found = rows?.find((row) => row.moduleCode === 'modular002' && row.suggestNo === suggestNo);
  return found?.moduleCode === 'modular002' ? <Dict of={suggestionMachine.dictionary} code={found.status} /> : null;
}
