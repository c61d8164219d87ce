import { useMemo } from 'react';
import { ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { PartOfPage } from '#kernel/web/tabs/page.tsx';
import { cards, showCard } from '../cards/Cards.tsx';

/** The cards of one batch, as the list of all cards shows them. */
export function CardsOfBatch({ batchId }: { batchId: string }) {
  const fixed = useMemo(() => ({ batchId }), [batchId]);
  const of = useMemo(
    () => ({
      ...cards,
      routeKey: 'cardBatchManagementDetail',
      filters: (cards.filters ?? []).filter((filter) => !('name' in filter) || !['batchId', 'cardTypeId'].includes(filter.name)),
    }),
    [],
  );
  return (
    <PartOfPage>
      <ResourceList of={of} fixed={fixed} onRowClick={showCard} actions={[{ label: '详情', act: showCard }]} />
    </PartOfPage>
  );
}
