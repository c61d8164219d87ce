import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { Field } from '#kernel/web/form/Field.tsx';
import type { InputOf } from '#kernel/contract/call.ts';
import { picked } from '#kernel/contract/field.ts';
import { SERVER_MESSAGE } from '#kernel/web/http/queries.ts';
import { addTagGroup, modifyTagGroup, queryTagGroupList, tagGroupLabels } from '../../contract/marks/calls/groups.ts';
import type { TagGroup } from '../../contract/marks/calls/shared.ts';
import type { ObjectTypeCode } from '../../contract/marks/dictionaries.ts';

type Values = InputOf<typeof addTagGroup>;
const facts = ['groupName', 'color', 'sensitive', 'manualAllowed', 'maxPerObject'] as const;
const refreshes = [queryTagGroupList];

interface GroupFormProps {
  group: TagGroup | null;
  objectType: ObjectTypeCode;
  onClose(): void;
}

const common = (
  <>
    <Field of={addTagGroup} name="color" />
    <Field of={addTagGroup} name="maxPerObject" extra="不填则不限" />
    <Field of={addTagGroup} name="manualAllowed" />
    <Field of={addTagGroup} name="sensitive" extra="患者的医疗类标签仅有权限的人员可见" />
  </>
);

/** Drawer 新增/编辑标签组; kind of thing and choice stay as they were made. */
export function GroupForm({ group, objectType, onClose }: GroupFormProps) {
  const shared = { open: true, onClose, refreshes, labels: tagGroupLabels } as const;
  if (group === null)
    return (
      <FormDrawer<typeof addTagGroup, Values>
        {...shared}
        title="新增标签组"
        call={addTagGroup}
        initial={{ objectType, kind: 'MARK', selectMode: 'MULTI', color: 'default', manualAllowed: true, sensitive: false }}
        success={SERVER_MESSAGE}
      >
        <Field of={addTagGroup} name="objectType" />
        <Field of={addTagGroup} name="groupName" />
        {objectType === 'MEDICINE' && <Field of={addTagGroup} name="kind" extra="促销标签展示在客户看到的药品卡片上" />}
        <Field of={addTagGroup} name="selectMode" />
        {common}
      </FormDrawer>
    );
  return (
    <FormDrawer<typeof modifyTagGroup, Omit<Values, 'objectType' | 'kind' | 'selectMode'>>
      {...shared}
      title={`编辑标签组：${group.groupName}`}
      call={modifyTagGroup}
      recordKey={group.id}
      initial={picked(group, facts)}
      toInput={(values) => ({ ...values, id: group.id, version: group.version })}
      success="修改成功!"
    >
      <Field of={modifyTagGroup} name="groupName" />
      {common}
    </FormDrawer>
  );
}
