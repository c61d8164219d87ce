import type { ComponentType } from 'react';
import { useData } from '#kernel/web/http/queries.ts';
import { PageParts } from '#kernel/web/kit/PageParts.tsx';
import { queryOtherMaterialCounts } from '../../contract/calls/otherMaterials.ts';
import { otherMaterialQueues, type OtherMaterialQueue } from '../../contract/materialStates.ts';
import { MaterialList } from './MaterialList.tsx';

const Pool = () => <MaterialList queue="POOL" />;
const Mine = () => <MaterialList queue="MINE" />;
const Supplement = () => <MaterialList queue="SUPPLEMENT" />;
const All = () => <MaterialList queue="ALL" />;
const contents: readonly (readonly [OtherMaterialQueue, ComponentType])[] = [
  ['POOL', Pool],
  ['MINE', Mine],
  ['SUPPLEMENT', Supplement],
  ['ALL', All],
];

/** /otherMaterialVerifyList 其他材料审核. */
export default function OtherMaterialVerifyList() {
  const { data } = useData(queryOtherMaterialCounts, {}, { quiet: true });
  const parts = contents.map(([queue, content]) => ({
    key: queue,
    label: `${otherMaterialQueues.label(queue)}${data ? `（${data[queue]}）` : ''}`,
    content,
  }));
  return <PageParts parts={parts} />;
}
