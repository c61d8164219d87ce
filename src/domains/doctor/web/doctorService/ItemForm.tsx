import { Alert, Checkbox, Form, Input, Select, Switch } from 'antd';
import type { AnswerOf } from '#kernel/contract/call.ts';
import { Upload } from '#kernel/web/files/Upload.tsx';
import { Field } from '#kernel/web/form/Field.tsx';
import { displayBy } from '#kernel/web/form/conflictRows.ts';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { UnboundField } from '#kernel/web/form/UnboundField.tsx';
import { FormRecord } from '#kernel/web/form/FormRecord.tsx';
import { SERVER_MESSAGE } from '#kernel/web/http/queries.ts';
import { billings, careKinds, itemTypes, practiceCategories, titleRanks, titles } from '../../contract/dictionaries.ts';
import {
  addServiceItem,
  ITEM_FILE,
  itemLabels,
  modifyServiceItem,
  queryServiceItemDetail,
  queryServiceItemList,
} from '../../contract/calls/items.ts';
import type { PriceBands } from '../../contract/rules/price.ts';
import { LineField } from '../services/onDemand.tsx';
import { CountField } from '../services/inputs.tsx';
import { RefSelect } from '../services/Selects.tsx';
import { BandFields } from './BandFields.tsx';
import { BandImpact } from './BandImpact.tsx';
import type { ItemValues } from './itemValues.ts';

const DURATIONS = ([10, 15, 20, 30, 60] as const).map((value) => ({ value, label: `${value}分钟` }));
const isCall = (type: string | undefined) => type === 'PHONE' || type === 'VIDEO';
const optionsOf = (dictionary: { options: readonly { value: string; label: string }[] }) =>
  dictionary.options.map(({ value, label }) => ({ value, label }));

function inputOf(values: ItemValues) {
  const {
    cover,
    agreement,
    priceBands,
    summary = '',
    detail = '',
    quotaReplies = null,
    periodDays = null,
    durationMin = null,
    validHours = null,
    productLineId = null,
    itemCode: _itemCode,
    ...rest
  } = values;
  const sold = titles.codes.filter((title) => titleRanks[title] >= titleRanks[values.titleMin]);
  return {
    ...rest,
    summary,
    detail,
    quotaReplies,
    periodDays,
    durationMin,
    validHours,
    productLineId,
    coverFileId: cover?.[0]?.fileId ?? null,
    agreementFileId: agreement?.[0]?.fileId ?? null,
    priceBands: Object.fromEntries(sold.flatMap((title) => (priceBands[title] ? [[title, priceBands[title]]] : []))) as PriceBands,
  };
}

const blank: Partial<ItemValues> = {
  itemType: 'TEXT',
  careKind: 'CONSULT',
  billing: 'REPLIES',
  quotaReplies: 20,
  freeAllowed: false,
  priceBands: {},
  acceptHours: 24,
  replyHours: 24,
  validHours: 72,
  needSlot: false,
  titleMin: 'ATTENDING',
  categories: [],
};

interface ItemFormProps {
  /** Null: a new item. */
  id: string | null;
  copy: boolean;
  onClose(): void;
}

/** Drawer 新增 / 编辑 / 复制. */
export function ItemForm({ id, copy, onClose }: ItemFormProps) {
  if (id === null) return <Editing loaded={null} copy={false} onClose={onClose} />;
  return (
    <FormRecord call={queryServiceItemDetail} input={{ id }} title={copy ? '复制服务项目' : '编辑服务项目'} width={820} onClose={onClose}>
      {(loaded) => <Editing loaded={loaded} copy={copy} onClose={onClose} />}
    </FormRecord>
  );
}

const display = displayBy({
  itemType: itemTypes,
  careKind: careKinds,
  billing: billings,
  titleMin: titles,
  categories: practiceCategories,
});

function Editing({ loaded, copy, onClose }: Omit<ItemFormProps, 'id'> & { loaded: AnswerOf<typeof queryServiceItemDetail> | null }) {
  const [form] = Form.useForm<ItemValues>();
  const itemType = Form.useWatch('itemType', form);
  const billing = Form.useWatch('billing', form);
  const titleMin = Form.useWatch('titleMin', form) ?? 'ATTENDING';
  const freeAllowed = Form.useWatch('freeAllowed', form) ?? false;
  const item = loaded?.item;
  const used = item !== undefined && !copy && item.state !== 'DRAFT';
  const initial: Partial<ItemValues> = item
    ? {
        ...item,
        durationMin: DURATIONS.find(({ value }) => value === item.durationMin)?.value ?? null,
        name: copy ? `${item.name}副本`.slice(0, 20) : item.name,
        ...(copy && { itemCode: '' }),
        cover: copy || !loaded?.cover ? [] : [loaded.cover],
        agreement: copy || !loaded?.agreement ? [] : [loaded.agreement],
      }
    : blank;

  const fields = (
    <>
      <h3 className="ds-heading">基本</h3>
      <div className="ds-two">
        <Field of={addServiceItem} name="itemCode">
          <Input disabled={item !== undefined && !copy} placeholder="如 TEXT_STD" />
        </Field>
        <Field of={addServiceItem} name="name" />
        <Field of={addServiceItem} name="itemType">
          <Select
            placeholder="请选择"
            options={optionsOf(itemTypes)}
            disabled={used}
            onChange={(type: string) => {
              if (isCall(type)) form.setFieldsValue({ billing: 'TIME', needSlot: true });
            }}
          />
        </Field>
        <Field of={addServiceItem} name="careKind" extra="诊疗服务可开具用药建议，准入更严且须实名">
          <Select placeholder="请选择" options={optionsOf(careKinds)} disabled={used} />
        </Field>
        <Field of={addServiceItem} name="categoryId">
          <RefSelect type="CATEGORY" />
        </Field>
        <Field of={addServiceItem} name="productLineId" extra="收入按产品线归集，可不选">
          <LineField />
        </Field>
        <Field of={addServiceItem} name="summary" className="ds-full" />
        <Field of={addServiceItem} name="detail" className="ds-full" />
        <Form.Item label={itemLabels.coverFileId} name="cover" className="ds-full">
          <Upload purpose={ITEM_FILE} max={1} hint="点击或拖入封面图（jpg、png、webp）" />
        </Form.Item>
      </div>
      <h3 className="ds-heading">计费与价格</h3>
      <div className="ds-three">
        <Field of={addServiceItem} name="billing">
          <Select placeholder="请选择" options={optionsOf(billings)} disabled={used || isCall(itemType)} />
        </Field>
        {billing === 'REPLIES' && <CountField of={addServiceItem} name="quotaReplies" unit="回合" required />}
        {billing === 'PERIOD' && <CountField of={addServiceItem} name="periodDays" unit="天" required />}
        {isCall(itemType) && (
          <Field of={addServiceItem} name="durationMin" required>
            <Select placeholder="请选择" options={[...DURATIONS]} />
          </Field>
        )}
        <Form.Item label={itemLabels.freeAllowed} name="freeAllowed" valuePropName="checked">
          <Switch checkedChildren="允许" unCheckedChildren="不允许" />
        </Form.Item>
      </div>
      <BandFields form={form} titleMin={titleMin} freeAllowed={freeAllowed} />
      {used && <BandImpact id={item.id} form={form} titleMin={titleMin} />}
      <h3 className="ds-heading">时效</h3>
      <div className="ds-three">
        <CountField of={addServiceItem} name="acceptHours" unit="小时" />
        <CountField of={addServiceItem} name="replyHours" unit="小时" />
        {billing === 'PERIOD' ? (
          <UnboundField label={itemLabels.validHours}>
            <Input disabled value="按周期天数" />
          </UnboundField>
        ) : (
          <CountField of={addServiceItem} name="validHours" unit="小时" required />
        )}
        <Form.Item label={itemLabels.needSlot} name="needSlot" valuePropName="checked">
          <Switch disabled={isCall(itemType)} checkedChildren="需预约" unCheckedChildren="无需预约" />
        </Form.Item>
      </div>
      <h3 className="ds-heading">准入</h3>
      <div className="ds-two">
        <Field of={addServiceItem} name="titleMin" />
        <Field of={addServiceItem} name="categories" extra="不选表示不限">
          <Checkbox.Group options={optionsOf(practiceCategories)} />
        </Field>
      </div>
      <h3 className="ds-heading">协议与退款</h3>
      <Alert
        type="info"
        showIcon
        title={
          billing === 'REPLIES'
            ? '首次回复前全额退；之后按未用回合退'
            : billing === 'PERIOD'
              ? '首次回复前全额退；之后按未用天数退'
              : '首次回复前全额退；之后不退，投诉由人工核定'
        }
        style={{ marginBottom: 12 }}
      />
      <Form.Item label={itemLabels.agreementFileId} name="agreement" extra="更换文件后协议版本自动加一，新订单使用新版本">
        <Upload purpose={ITEM_FILE} max={1} hint="点击或拖入服务协议（pdf）" />
      </Form.Item>
    </>
  );
  const shared = {
    open: true,
    onClose,
    form,
    initial,
    labels: itemLabels,
    width: 820,
    refreshes: [queryServiceItemList, queryServiceItemDetail],
  } as const;
  if (item && !copy) {
    return (
      <FormDrawer<typeof modifyServiceItem, ItemValues>
        {...shared}
        title={`编辑服务项目：${item.name}`}
        recordKey={item.id}
        display={display}
        valuesOf={(current) => current as Partial<ItemValues>}
        call={modifyServiceItem}
        toInput={(values) => ({ id: item.id, version: item.version, ...inputOf(values) })}
        success="修改成功!"
      >
        {fields}
      </FormDrawer>
    );
  }
  return (
    <FormDrawer<typeof addServiceItem, ItemValues>
      {...shared}
      title="新增服务项目"
      call={addServiceItem}
      toInput={(values) => ({ itemCode: (values.itemCode ?? '').toUpperCase(), ...inputOf(values) })}
      success={SERVER_MESSAGE}
    >
      {fields}
    </FormDrawer>
  );
}
