import { Alert, Checkbox, Form, Input, InputNumber, Select, Switch } from 'antd';
import type { AnswerOf } from '../../../../kernel/contract/call.ts';
import { Upload } from '../../../../kernel/web/files/Upload.tsx';
import { displayBy } from '../../../../kernel/web/form/conflictRows.ts';
import { FormDrawer } from '../../../../kernel/web/form/FormDrawer.tsx';
import { UnboundField } from '../../../../kernel/web/form/UnboundField.tsx';
import { FormRecord } from '../../../../kernel/web/form/FormRecord.tsx';
import { SERVER_MESSAGE } from '../../../../kernel/web/http/queries.ts';
import { billings, careKinds, itemTypes, practiceCategories, titleRanks, titles } from '../../contract/dictionaries.ts';
import {
  addServiceItem,
  ITEM_FILE,
  itemLabels,
  modifyServiceItem,
  queryServiceItemDetail,
  queryServiceItemList,
} from '../../contract/itemCalls.ts';
import type { PriceBands } from '../../contract/rules/price.ts';
import { LineField } from '../services/onDemand.tsx';
import { RefSelect } from '../services/Selects.tsx';
import { BandFields } from './BandFields.tsx';
import { BandImpact } from './BandImpact.tsx';
import type { ItemValues } from './itemValues.ts';

const DURATIONS = ([10, 15, 20, 30, 60] as const).map((value) => ({ value, label: `${value}分钟` }));
const isCall = (type: string | undefined) => type === 'PHONE' || type === 'VIDEO';
const optionsOf = (dictionary: { options: readonly { value: string; label: string }[] }) =>
  dictionary.options.map(({ value, label }) => ({ value, label }));
const must = (message: string) => [{ required: true, message }];

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
        <Form.Item
          label="项目编码"
          name="itemCode"
          rules={[...must('请输入项目编码'), { pattern: /^[A-Za-z0-9_]{2,32}$/, message: '2至32位字母、数字或下划线' }]}
        >
          <Input maxLength={32} disabled={item !== undefined && !copy} placeholder="如 TEXT_STD" />
        </Form.Item>
        <Form.Item label={itemLabels.name} name="name" rules={must('请输入服务名称')}>
          <Input maxLength={20} showCount />
        </Form.Item>
        <Form.Item label={itemLabels.itemType} name="itemType" rules={must('请选择服务类型')}>
          <Select
            placeholder="请选择"
            options={optionsOf(itemTypes)}
            disabled={used}
            onChange={(type: string) => {
              if (isCall(type)) form.setFieldsValue({ billing: 'TIME', needSlot: true });
            }}
          />
        </Form.Item>
        <Form.Item
          label={itemLabels.careKind}
          name="careKind"
          rules={must('请选择服务性质')}
          extra="诊疗服务可开具用药建议，准入更严且须实名"
        >
          <Select placeholder="请选择" options={optionsOf(careKinds)} disabled={used} />
        </Form.Item>
        <Form.Item label={itemLabels.categoryId} name="categoryId" rules={must('请选择服务分类')}>
          <RefSelect type="CATEGORY" />
        </Form.Item>
        <Form.Item label={itemLabels.productLineId} name="productLineId" extra="收入按产品线归集，可不选">
          <LineField />
        </Form.Item>
        <Form.Item label={itemLabels.summary} name="summary" className="ds-full">
          <Input maxLength={200} showCount />
        </Form.Item>
        <Form.Item label={itemLabels.detail} name="detail" className="ds-full">
          <Input.TextArea rows={3} maxLength={5000} showCount />
        </Form.Item>
        <Form.Item label={itemLabels.coverFileId} name="cover" className="ds-full">
          <Upload purpose={ITEM_FILE} max={1} hint="点击或拖入封面图（jpg、png、webp）" />
        </Form.Item>
      </div>
      <h3 className="ds-heading">计费与价格</h3>
      <div className="ds-three">
        <Form.Item label={itemLabels.billing} name="billing" rules={must('请选择计费方式')}>
          <Select placeholder="请选择" options={optionsOf(billings)} disabled={used || isCall(itemType)} />
        </Form.Item>
        {billing === 'REPLIES' && (
          <Form.Item label={itemLabels.quotaReplies} name="quotaReplies" rules={must('请输入回合数')}>
            <InputNumber className="kq-wide" min={1} max={100} precision={0} suffix="回合" />
          </Form.Item>
        )}
        {billing === 'PERIOD' && (
          <Form.Item label={itemLabels.periodDays} name="periodDays" rules={must('请输入周期天数')}>
            <InputNumber className="kq-wide" min={7} max={365} precision={0} suffix="天" />
          </Form.Item>
        )}
        {isCall(itemType) && (
          <Form.Item label={itemLabels.durationMin} name="durationMin" rules={must('请选择通话时长')}>
            <Select placeholder="请选择" options={[...DURATIONS]} />
          </Form.Item>
        )}
        <Form.Item label={itemLabels.freeAllowed} name="freeAllowed" valuePropName="checked">
          <Switch checkedChildren="允许" unCheckedChildren="不允许" />
        </Form.Item>
      </div>
      <BandFields form={form} titleMin={titleMin} freeAllowed={freeAllowed} />
      {used && <BandImpact id={item.id} form={form} titleMin={titleMin} />}
      <h3 className="ds-heading">时效</h3>
      <div className="ds-three">
        <Form.Item label={itemLabels.acceptHours} name="acceptHours" rules={must('请输入接诊时效')}>
          <InputNumber className="kq-wide" min={1} max={24} precision={0} suffix="小时" />
        </Form.Item>
        <Form.Item label={itemLabels.replyHours} name="replyHours" rules={must('请输入首响时效')}>
          <InputNumber className="kq-wide" min={1} max={48} precision={0} suffix="小时" />
        </Form.Item>
        {billing === 'PERIOD' ? (
          <UnboundField label={itemLabels.validHours}>
            <Input disabled value="按周期天数" />
          </UnboundField>
        ) : (
          <Form.Item label={itemLabels.validHours} name="validHours" rules={must('请输入服务有效期')}>
            <InputNumber className="kq-wide" min={1} max={720} precision={0} suffix="小时" />
          </Form.Item>
        )}
        <Form.Item label={itemLabels.needSlot} name="needSlot" valuePropName="checked">
          <Switch disabled={isCall(itemType)} checkedChildren="需预约" unCheckedChildren="无需预约" />
        </Form.Item>
      </div>
      <h3 className="ds-heading">准入</h3>
      <div className="ds-two">
        <Form.Item label={itemLabels.titleMin} name="titleMin" rules={must('请选择最低职称')}>
          <Select placeholder="请选择" options={optionsOf(titles)} />
        </Form.Item>
        <Form.Item label={itemLabels.categories} name="categories" extra="不选表示不限">
          <Checkbox.Group options={optionsOf(practiceCategories)} />
        </Form.Item>
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
