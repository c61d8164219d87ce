import { Form, Select } from 'antd';
import type { InputOf } from '#kernel/contract/call.ts';
import { picked } from '#kernel/contract/field.ts';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { InstantInput } from '#kernel/web/form/InstantInput.tsx';
import { SERVER_MESSAGE, useData } from '#kernel/web/http/queries.ts';
import { NoChoices } from '#kernel/web/kit/NoChoices.tsx';
import { queryTagGroupList } from '../../contract/marks/calls/groups.ts';
import {
  addPromotionTag,
  modifyPromotionTag,
  promotionLabels,
  queryPromotionTagList,
  TAG_ROOM,
  type PromotionRow,
} from '../../contract/promotion/calls.ts';
import { MedicineCard } from './Card.tsx';

type Values = InputOf<typeof addPromotionTag>;
const facts = ['markName', 'displayText', 'style', 'color', 'pages', 'startAt', 'endAt', 'priority', 'description'] as const;
const refreshes = [queryPromotionTagList, queryTagGroupList];

function Face() {
  const [text, style, color] = [Form.useWatch<string>('displayText'), Form.useWatch<Values['style']>('style'), Form.useWatch('color')];
  if (!text || !style) return null;
  return <MedicineCard name="药品名称" tags={[{ id: '0', displayText: text, style, color: color ?? 'default' }]} />;
}

const fields = (
  <>
    <Field of={addPromotionTag} name="markName" />
    <Field of={addPromotionTag} name="displayText" extra={`最多${TAG_ROOM}个字，客户在药品卡片上看到`} />
    <Field of={addPromotionTag} name="style" extra="卡片上最多1个角标、2个短标、1个文字" />
    <Field of={addPromotionTag} name="color" />
    <Field of={addPromotionTag} name="pages" />
    <Field of={addPromotionTag} name="startAt" extra="不填则立即开始">
      <InstantInput />
    </Field>
    <Field of={addPromotionTag} name="endAt" extra="不填则长期展示">
      <InstantInput />
    </Field>
    <Field of={addPromotionTag} name="priority" extra="1至99，数值大的优先展示" />
    <Field of={addPromotionTag} name="description" />
    <Face />
  </>
);

/** The groups that promotion tags stand in. */
function GroupChoice() {
  const groups = useData(queryTagGroupList, { objectType: 'MEDICINE', kind: 'PROMOTION' }, { quiet: true });
  const options = (groups.data ?? [])
    .filter(({ state }) => state === 'ENABLED')
    .map(({ id, groupName }) => ({ value: id, label: groupName }));
  return (
    <Field of={addPromotionTag} name="groupId" extra="在“标签”中为药品新增类型为促销标签的标签组">
      <Select
        placeholder="请选择"
        options={options}
        showSearch={{ optionFilterProp: 'label' }}
        notFoundContent={<NoChoices of={groups} none="没有启用的促销标签组" />}
      />
    </Field>
  );
}

/** Drawer 新增/编辑促销标签. */
export function PromotionForm({ tag, onClose }: { tag: PromotionRow | null; onClose(): void }) {
  const shared = { open: true, onClose, refreshes, labels: promotionLabels } as const;
  if (tag === null)
    return (
      <FormDrawer<typeof addPromotionTag, Values>
        {...shared}
        title="新增促销标签"
        call={addPromotionTag}
        initial={{ style: 'PILL', color: 'orange', pages: ['MP_MALL', 'MP_DRUG_DETAIL'], priority: 50 }}
        success={SERVER_MESSAGE}
      >
        <GroupChoice />
        {fields}
      </FormDrawer>
    );
  return (
    <FormDrawer<typeof modifyPromotionTag, Omit<Values, 'groupId'>>
      {...shared}
      title={`编辑促销标签：${tag.markName}`}
      call={modifyPromotionTag}
      recordKey={tag.id}
      initial={picked(tag, facts)}
      toInput={(values) => ({ ...values, id: tag.id, version: tag.version })}
      success="修改成功!"
    >
      {fields}
    </FormDrawer>
  );
}
