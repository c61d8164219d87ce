import { useCallback, useMemo, useState } from 'react';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { toast } from '#kernel/web/feedback/toast.ts';
import { saveFile } from '#kernel/web/files/saveFile.ts';
import { refresh, useCommand } from '#kernel/web/http/queries.ts';
import type { RowAction } from '#kernel/web/kit/columns.ts';
import { BatchResult } from '#kernel/web/list/BatchResult.tsx';
import type { RowOutcome } from '#kernel/web/list/rowOutcome.ts';
import { ResourceList } from '#kernel/web/list/ResourceList.tsx';
import {
  disableDoctorCard,
  downloadDoctorCard,
  exportDoctorCardZip,
  queryDoctorCardList,
  type CardRow,
} from '../../contract/calls/cards.ts';
import { doctorPermissions as rights } from '../../contract/permissions.ts';
import { cardMachine } from '../../contract/staffStates.ts';
import { askTransition } from '#kernel/web/feedback/askTransition.ts';
import { cardListOf } from './cardList.tsx';
import { CardForm, CardPreview } from './lazyDialogs.ts';

const FOLLOW_MS = 5_000;
const hasPicture = (row: CardRow) => row.thumb !== null && (row.state === 'READY' || row.state === 'STALE');

/** /doctorCard 医生名片. */
export default function DoctorCard() {
  const layers = useLayers();
  const { open } = layers;
  const preview = useCallback((row: CardRow) => open((close) => <CardPreview row={row} onClose={close} />), [open]);
  const make = (rows: readonly CardRow[]) => layers.open((close) => <CardForm rows={rows} onClose={close} onOutcome={showOutcomes} />);
  const [outcome, setOutcome] = useState<{ outcomes: readonly RowOutcome[]; total: number } | null>(null);
  const list = useMemo(() => cardListOf(preview), [preview]);
  const disable = useCommand(disableDoctorCard, { success: '操作成功!', refreshes: [queryDoctorCardList] });
  const zip = useCommand(exportDoctorCardZip, { onSuccess: ({ data }) => toast(`已开始打包 ${data.taskNo}，完成后在下载中心领取`) });
  const save = async (row: CardRow) => {
    if (await saveFile(downloadDoctorCard, { doctorId: row.id, part: 'POSTER' }, { success: '已下载' })) void refresh(queryDoctorCardList);
  };
  const actions: readonly RowAction<CardRow>[] = [
    { label: '预览', when: hasPicture, act: preview },
    { label: '生成', permission: rights['card.edit'], when: (row) => row.state === 'NONE', act: (row) => make([row]) },
    {
      label: '重新生成',
      permission: rights['card.edit'],
      when: (row) => row.state !== 'NONE' && cardMachine.canStart('generate', row.state),
      act: (row) => make([row]),
    },
    { label: '下载', when: hasPicture, act: save },
    {
      label: '停用',
      permission: rights['card.edit'],
      danger: true,
      when: (row) => row.version > 0 && cardMachine.canStart('disable', row.state),
      act: async (row) => {
        const opinion = await askTransition(
          cardMachine,
          'disable',
          `“${row.doctorName}”`,
          factsIn(queryDoctorCardList.output, row, ['doctorNo', 'template', 'scanCount', 'shareCount']),
        );
        if (opinion !== null) await disable.run({ doctorId: row.id, version: row.version, ...(opinion && { opinion }) });
      },
    },
  ];
  const showOutcomes = (outcomes: readonly RowOutcome[], total: number) => {
    if (outcomes.length > 0) setOutcome({ outcomes, total });
  };
  const nameOf = (row: CardRow) => `${row.doctorName}（${row.doctorNo}）`;
  return (
    <>
      <ResourceList
        of={list}
        actions={actions}
        every={FOLLOW_MS}
        batch={[
          {
            label: '生成',
            permission: rights['card.edit'],
            nameOf,
            dialog: (rows, { done, close }) => <CardForm rows={rows} onDone={done} onClose={close} onOutcome={showOutcomes} />,
          },
          {
            label: '打包下载',
            permission: rights['card.view'],
            nameOf,
            all: async (rows) => Boolean(await zip.run({ doctorIds: rows.map(({ id }) => id) })),
          },
        ]}
      />
      {layers.shown}
      {outcome && (
        <BatchResult
          title={`批量生成名片（共${outcome.total}位，以下未生成）`}
          outcomes={outcome.outcomes}
          total={outcome.outcomes.length}
          running={false}
          onClose={() => setOutcome(null)}
        />
      )}
    </>
  );
}
