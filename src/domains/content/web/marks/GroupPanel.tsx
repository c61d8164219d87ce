import { Button, Dropdown, Select, Tag } from 'antd';
import type { MenuProps } from 'antd';
import { Field } from '#kernel/web/form/Field.tsx';
import { lazy, useRef } from 'react';
import { picked } from '#kernel/contract/field.ts';
import { ask, confirmDelete } from '#kernel/web/feedback/dialogs.tsx';
import { FormDialog } from '#kernel/web/form/FormDrawer.tsx';
import { SERVER_MESSAGE, useCommand } from '#kernel/web/http/queries.ts';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { BatchResult } from '#kernel/web/list/BatchResult.tsx';
import type { RowOutcome } from '#kernel/web/list/rowOutcome.ts';
import { goTo } from '#kernel/web/router/navigate.ts';
import { useMay } from '#kernel/web/session/store.ts';
import { usePage } from '#kernel/web/tabs/page.tsx';
import { delTagGroup, modifyTagGroup, queryTagGroupList, sortTagGroup } from '../../contract/marks/calls/groups.ts';
import { delMark, mergeMark, modifyMark } from '../../contract/marks/calls/marks.ts';
import type { Mark, TagGroup } from '../../contract/marks/calls/shared.ts';
import { selectModes } from '../../contract/marks/dictionaries.ts';
import { markPermissions as may } from '../../contract/marks/permissions.ts';
import { moved } from './moved.ts';

const MarkForm = lazy(async () => ({ default: (await import('./MarkForm.tsx')).MarkForm }));
const BindDialog = lazy(async () => ({ default: (await import('./BindDialog.tsx')).BindDialog }));
const refreshes = [queryTagGroupList];
const groupFacts = ['groupName', 'color', 'sensitive', 'manualAllowed', 'maxPerObject'] as const;
const markFacts = ['markName', 'color', 'description', 'defaultDays'] as const;
const OFF = '停用后，规则打上的标签将移除，手工打上的标签将隐藏，是否继续?';

interface PanelProps {
  group: TagGroup;
  editable: boolean;
  /** Only the marks that were looked for are shown. */
  found: boolean;
  onEdit(): void;
}

/** The marks of a group as chips with their counts. */
export function GroupPanel({ group, editable, found, onEdit }: PanelProps) {
  const layers = useLayers();
  const { path } = usePage();
  const binds = useMay()(may['mark.bind']);
  const dragged = useRef<string | null>(null);
  const changeGroup = useCommand(modifyTagGroup, { success: '修改成功!', refreshes });
  const removeGroup = useCommand(delTagGroup, { success: '删除成功!', refreshes });
  const change = useCommand(modifyMark, { success: '修改成功!', refreshes });
  const remove = useCommand(delMark, { success: '删除成功!', refreshes });
  const sort = useCommand(sortTagGroup, { success: '操作成功!', refreshes, blockMs: 300 });

  const write = (mark: Mark | null) => layers.open((close) => <MarkForm group={group} mark={mark} onClose={close} />);
  const merge = (mark: Mark) => layers.open((close) => <MergeForm group={group} mark={mark} onClose={close} />);
  const showOutcomes = (outcomes: readonly RowOutcome[]) =>
    layers.open((close) => <BatchResult title="批量打标" outcomes={outcomes} total={outcomes.length} running={false} onClose={close} />);
  const bind = (mark: Mark) => layers.open((close) => <BindDialog group={group} mark={mark} onClose={close} onDone={showOutcomes} />);

  const ofGroup = [
    { label: '标签组', value: group.groupName },
    { label: '标签', value: `${group.marks.length}个` },
  ];
  const ofMark = (mark: Mark) => [
    { label: '标签', value: `${group.groupName} / ${mark.markName}` },
    { label: '已打对象', value: `${mark.objectCount}个` },
  ];
  const toggleGroupState = async () => {
    const off = group.state === 'ENABLED';
    if (off && !(await ask({ title: '停用标签组', content: OFF, facts: ofGroup, danger: true }))) return;
    const state = off ? ('DISABLED' as const) : ('ENABLED' as const);
    await changeGroup.run({ ...picked(group, groupFacts), groupName: group.groupName, id: group.id, version: group.version, state });
  };
  const toggleState = async (mark: Mark) => {
    const off = mark.state === 'ENABLED';
    if (off && !(await ask({ title: '停用标签', content: OFF, facts: ofMark(mark), danger: true }))) return;
    const state = off ? ('DISABLED' as const) : ('ENABLED' as const);
    await change.run({ ...picked(mark, markFacts), markName: mark.markName, id: mark.id, version: mark.version, state });
  };
  const drop = async (mark: Mark) => {
    if (await confirmDelete(`标签“${mark.markName}”`)) await remove.run({ id: mark.id, version: mark.version });
  };
  const place = (over: string) => {
    const order = moved(
      group.marks.map(({ id }) => id),
      dragged.current,
      over,
    );
    if (order) void sort.run({ groupId: group.id, ids: order });
  };
  /** Tags that customers see are kept in a tab of their own. */
  const promotes = group.kind === 'PROMOTION';
  const usable = (mark: Mark) => binds && group.manualAllowed && group.state === 'ENABLED' && mark.state === 'ENABLED';
  const menuOf = (mark: Mark): MenuProps => ({
    items: [
      { key: 'objects', label: '查看对象' },
      ...(usable(mark) ? [{ key: 'bind', label: '批量打标' }] : []),
      ...(editable && promotes ? [{ key: 'promotion', label: '维护促销标签' }] : []),
      ...(editable && !promotes
        ? [
            { key: 'edit', label: '编辑' },
            { key: 'turn', label: mark.state === 'ENABLED' ? '停用' : '启用' },
            { key: 'merge', label: '合并到…', disabled: group.marks.length < 2 },
            { key: 'remove', label: '删除', danger: true },
          ]
        : []),
    ],
    onClick: ({ key }) => {
      if (key === 'objects') goTo(path, { tab: 'bindings', markId: mark.id, live: 'true' });
      else if (key === 'promotion') goTo(path, { tab: 'promotion' });
      else if (key === 'bind') bind(mark);
      else if (key === 'edit') write(mark);
      else if (key === 'merge') merge(mark);
      else void (key === 'turn' ? toggleState(mark) : drop(mark));
    },
  });
  const chip = (mark: Mark) => (
    <Tag color={mark.state === 'DISABLED' ? 'default' : mark.color} title={mark.description || mark.markCode}>
      {mark.markName}
      {mark.state === 'DISABLED' && '（停用）'} {mark.objectCount}
    </Tag>
  );
  return (
    <>
      <h3>
        {group.groupName} <span className="kq-muted">{selectModes.label(group.selectMode)}</span>
      </h3>
      {editable && (
        <div className="kq-row">
          <Button type="primary" onClick={() => (promotes ? goTo(path, { tab: 'promotion' }) : write(null))}>
            {promotes ? '维护促销标签' : '新增标签'}
          </Button>
          <Button onClick={onEdit}>编辑标签组</Button>
          <Button danger={group.state === 'ENABLED'} onClick={() => void toggleGroupState()}>
            {group.state === 'ENABLED' ? '停用标签组' : '启用标签组'}
          </Button>
          <Button
            danger
            onClick={async () => {
              if (await confirmDelete(`标签组“${group.groupName}”`)) await removeGroup.run({ id: group.id, version: group.version });
            }}
          >
            删除标签组
          </Button>
        </div>
      )}
      {group.marks.length === 0 && <div className="kq-empty">暂无标签</div>}
      <div className="mk-chips">
        {group.marks.map((mark) => (
          <span
            key={mark.id}
            draggable={editable && !found}
            onDragStart={() => (dragged.current = mark.id)}
            onDragOver={(event) => event.preventDefault()}
            onDrop={() => place(mark.id)}
          >
            <Dropdown menu={menuOf(mark)} trigger={['click']}>
              <Button type="text" size="small" aria-label={`标签${mark.markName}`}>
                {chip(mark)}
              </Button>
            </Dropdown>
          </span>
        ))}
      </div>
      {layers.shown}
    </>
  );
}

/** 合并到…: all that carries the mark carries the chosen one. */
function MergeForm({ group, mark, onClose }: { group: TagGroup; mark: Mark; onClose(): void }) {
  return (
    <FormDialog<typeof mergeMark, { intoId: string }>
      open
      title={`合并标签：${mark.markName}`}
      call={mergeMark}
      refreshes={refreshes}
      success={SERVER_MESSAGE}
      onClose={onClose}
      toInput={({ intoId }) => ({ fromId: mark.id, version: mark.version, intoId })}
    >
      <p className="kq-muted">合并后，{mark.objectCount}个对象改用目标标签，本标签停用</p>
      <Field of={mergeMark} name="intoId">
        <Select
          placeholder="请选择"
          showSearch={{ optionFilterProp: 'label' }}
          options={group.marks
            .filter(({ id, state }) => id !== mark.id && state === 'ENABLED')
            .map(({ id, markName }) => ({ value: id, label: markName }))}
        />
      </Field>
    </FormDialog>
  );
}
