import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { Field } from '#kernel/web/form/Field.tsx';
import type { InputOf } from '#kernel/contract/call.ts';
import { picked } from '#kernel/contract/field.ts';
import { SERVER_MESSAGE } from '#kernel/web/http/queries.ts';
import { queryTagGroupList } from '../../contract/marks/calls/groups.ts';
import { addMark, markLabels, modifyMark } from '../../contract/marks/calls/marks.ts';
import type { Mark, TagGroup } from '../../contract/marks/calls/shared.ts';

type Values = Omit<InputOf<typeof addMark>, 'groupId'>;
const facts = ['markName', 'color', 'description', 'defaultDays'] as const;
const refreshes = [queryTagGroupList];

const fields = (
  <>
    <Field of={addMark} name="markName" />
    <Field of={addMark} name="color" />
    <Field of={addMark} name="description" />
    <Field of={addMark} name="defaultDays" extra="打标后到期自动移除，不填则长期有效" />
  </>
);

/** Drawer 新增/编辑标签. */
export function MarkForm({ group, mark, onClose }: { group: TagGroup; mark: Mark | null; onClose(): void }) {
  const shared = { open: true, onClose, refreshes, labels: markLabels } as const;
  if (mark === null)
    return (
      <FormDrawer<typeof addMark, Values>
        {...shared}
        title="新增标签"
        call={addMark}
        initial={{ color: group.color }}
        toInput={(values) => ({ ...values, groupId: group.id })}
        success={SERVER_MESSAGE}
      >
        {fields}
      </FormDrawer>
    );
  return (
    <FormDrawer<typeof modifyMark, Values>
      {...shared}
      title={`编辑标签：${mark.markName}`}
      call={modifyMark}
      recordKey={mark.id}
      initial={picked(mark, facts)}
      toInput={(values) => ({ ...values, id: mark.id, version: mark.version })}
      success="修改成功!"
    >
      {fields}
    </FormDrawer>
  );
}
