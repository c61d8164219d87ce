import { Select, Tag } from 'antd';
import { ask } from '#kernel/web/feedback/dialogs.tsx';
import { useCommand, useData } from '#kernel/web/http/queries.ts';
import { TableFailure } from '#kernel/web/kit/TableState.tsx';
import { NOTHING } from '#kernel/web/kit/values.tsx';
import { useMay } from '#kernel/web/session/store.ts';
import { toastError } from '#kernel/web/feedback/toast.ts';
import { NoChoices } from '#kernel/web/kit/NoChoices.tsx';
import { bindMark, queryMarkObjectList, queryObjectMark, unbindMark, type CarriedMark } from '../../contract/marks/calls/bindings.ts';
import { queryTagGroupList } from '../../contract/marks/calls/groups.ts';
import { objectTypes, type ObjectTypeCode } from '../../contract/marks/dictionaries.ts';
import { markPermissions as may } from '../../contract/marks/permissions.ts';

const refreshes = [queryObjectMark, queryMarkObjectList, queryTagGroupList];

interface Props {
  objectType: ObjectTypeCode;
  objectId: string;
}

/** Marks that may be put on by hand and are not there yet, by their groups. */
function AddMark({ objectType, objectId, carried }: Props & { carried: readonly CarriedMark[] }) {
  const groups = useData(queryTagGroupList, { objectType }, { quiet: true });
  const bind = useCommand(bindMark, {
    success: '操作成功!',
    refreshes,
    onSuccess: ({ data: [outcome] }) => {
      if (outcome && !outcome.ok) toastError(outcome.message);
    },
  });
  const there = new Set(carried.map(({ markId }) => markId));
  const options = (groups.data ?? [])
    .filter(({ manualAllowed, state }) => manualAllowed && state === 'ENABLED')
    .map((group) => ({
      label: group.groupName,
      options: group.marks
        .filter(({ id, state }) => state === 'ENABLED' && !there.has(id))
        .map(({ id, markName }) => ({ value: id, label: markName })),
    }))
    .filter((group) => group.options.length > 0);
  return (
    <Select<string | null>
      size="small"
      aria-label="添加标签"
      placeholder="添加标签"
      value={null}
      disabled={bind.busy}
      showSearch={{ optionFilterProp: 'label' }}
      style={{ width: 130 }}
      options={options}
      notFoundContent={<NoChoices of={groups} none="没有可添加的标签" />}
      onChange={(markId) => {
        if (markId) void bind.run({ markIds: [markId], objectType, objectIds: [objectId] });
      }}
    />
  );
}

function Carried({ objectType, objectId }: Props) {
  const holds = useMay();
  const { data, error, refetch } = useData(queryObjectMark, { objectType, objectIds: [objectId] }, { quiet: true });
  const remove = useCommand(unbindMark, { success: '操作成功!', refreshes });
  if (error) return <TableFailure error={error} onRetry={() => void refetch()} />;
  const marks = data?.[0]?.marks ?? [];
  const binds = holds(may['mark.bind']);
  const takeAway = async (mark: CarriedMark) => {
    if (
      await ask({
        title: '移除标签',
        content: `将移除标签“${mark.markName}”，是否继续?`,
        facts: [{ label: '标签组', value: mark.groupName }],
        danger: true,
      })
    )
      await remove.run({ markIds: [mark.markId], objectType, objectIds: [objectId] });
  };
  return (
    <span className="kq-row">
      {marks.map((mark) => (
        <Tag
          key={mark.markId}
          color={mark.color}
          title={mark.groupName}
          closable={binds && { 'aria-label': `移除${mark.markName}` }}
          onClose={(event) => {
            event.preventDefault();
            void takeAway(mark);
          }}
        >
          {mark.markName}
        </Tag>
      ))}
      {marks.length === 0 && !binds && NOTHING}
      {binds && data?.[0] && <AddMark objectType={objectType} objectId={objectId} carried={marks} />}
    </span>
  );
}

/** Slot 标签 of drawers; nothing for who may not see marks. */
export default function ObjectMarks({ objectType, objectId }: { objectType: string; objectId: string }) {
  const known = objectTypes.codes.find((code) => code === objectType);
  const sees = useMay()(may['content.view']);
  return known && sees ? <Carried objectType={known} objectId={objectId} /> : null;
}
