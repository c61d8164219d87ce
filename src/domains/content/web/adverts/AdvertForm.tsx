import { Alert, Form, Input, InputNumber } from 'antd';
import type { InputOf } from '#kernel/contract/call.ts';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { SERVER_MESSAGE } from '#kernel/web/http/queries.ts';
import {
  addAdvertise,
  advertLabels,
  modifyAdvertise,
  queryAdvertiseDetail,
  queryAdvertiseList,
  type AdvertRow,
} from '../../contract/adverts/calls.ts';
import { needsApproval, rulesOfClass, SUPPLEMENT_SENTENCE } from '../../contract/adverts/law.ts';
import { sponsorThingOf } from '../../contract/adverts/dictionaries.ts';
import { queryDeliveryCalendar, queryDeliveryCounts } from '../../contract/banners/calls.ts';
import { ADVERT_TARGET, APPROVAL_FILE } from '../../contract/delivery/files.ts';
import { positionOf } from '../../contract/delivery/positions.ts';
import { forbiddenIn } from '../../contract/promotion/words.ts';
import { audienceDraftOf } from '../delivery/audienceDraft.ts';
import { DeliveryFields } from '../delivery/DeliveryFields.tsx';
import { PhoneFrame } from '../delivery/PhoneFrame.tsx';
import { PictureInput } from '../delivery/PictureInput.tsx';
import { ThingPicker, useThingTypes } from '../delivery/ThingPicker.tsx';
import { weekdaysOf } from '../delivery/weekdays.ts';
import '../delivery/delivery.css';

type Values = InputOf<typeof addAdvertise>;
const refreshes = [queryAdvertiseList, queryAdvertiseDetail, queryDeliveryCalendar, queryDeliveryCounts];
const WIDTH = 1040;

/** Who pays: a record where there are records of his kind, else a name. */
function SponsorFields() {
  const form = Form.useFormInstance<Values>();
  const isThere = useThingTypes();
  const type = Form.useWatch('sponsorType', form);
  const thing = type ? sponsorThingOf(type) : null;
  const recorded = thing !== null && isThere(thing);
  return (
    <div className="dl-pair">
      <Field of={addAdvertise} name="sponsorType" />
      {recorded && (
        <Field of={addAdvertise} name="sponsorId" required>
          <ThingPicker key={thing} thingType={thing} by="id" onName={(name) => form.setFieldValue('sponsorName', name)} />
        </Field>
      )}
      {recorded ? (
        <Form.Item name="sponsorName" noStyle>
          <Input type="hidden" />
        </Form.Item>
      ) : (
        <Field of={addAdvertise} name="sponsorName" />
      )}
    </div>
  );
}

/** What the law of advertising asks of the chosen class, said while it is written. */
function ClassFields() {
  const form = Form.useFormInstance<Values>();
  const [adClass, name, altText] = [Form.useWatch('adClass', form), Form.useWatch('adName', form), Form.useWatch('altText', form)];
  const words = [...new Set([...forbiddenIn(name ?? ''), ...forbiddenIn(altText ?? '')])];
  return (
    <>
      {adClass && <Alert type="info" showIcon title={`${rulesOfClass(adClass).join('；')}。`} />}
      {words.length > 0 && <Alert type="error" showIcon title={`包含广告法禁用词：${words.join('、')}`} />}
      {adClass && needsApproval(adClass) && (
        <>
          <div className="dl-pair">
            <Field of={addAdvertise} name="approvalNo" placeholder="如国药广审（文）第250101-00001号" />
            <Field of={addAdvertise} name="approvalUntil" />
          </div>
          <Field of={addAdvertise} name="approvalFileId">
            <PictureInput purpose={APPROVAL_FILE} hint="广告审查表，jpg、png、pdf，不超过10MB" />
          </Field>
        </>
      )}
      <Field of={addAdvertise} name="disclaimer" extra="与“广告”字样一起显示在图片上" />
    </>
  );
}

function CapFields() {
  const form = Form.useFormInstance<Values>();
  const [place, budgetType] = [Form.useWatch('positionCode', form), Form.useWatch('budgetType', form)];
  const kind = place ? positionOf(place).kind : null;
  const covers = kind === 'SPLASH' || kind === 'POPUP';
  return (
    <>
      <div className="dl-pair">
        <Field of={addAdvertise} name="capPerPersonDay" />
        <Field of={addAdvertise} name="capPerPersonTotal">
          <InputNumber className="kq-wide" placeholder="不限" />
        </Field>
        <Field of={addAdvertise} name="budgetType" />
        {budgetType !== 'NONE' && <Field of={addAdvertise} name="budgetCount" required />}
        {kind === 'SPLASH' && <Field of={addAdvertise} name="showSeconds" required extra="3至5秒" />}
        {!covers && <Field of={addAdvertise} name="closable" />}
        <Field of={addAdvertise} name="contractRef" placeholder="广告主的订单编号" />
      </div>
      {covers && <p className="kq-muted">开屏与弹窗始终可以关闭</p>}
    </>
  );
}

function Preview({ id }: { id: string | undefined }) {
  const form = Form.useFormInstance<Values>();
  const [place, fileId, altText] = [
    Form.useWatch('positionCode', form),
    Form.useWatch('imageFileId', form),
    Form.useWatch('altText', form),
  ];
  const [sponsorName, disclaimer] = [Form.useWatch('sponsorName', form), Form.useWatch('disclaimer', form)];
  return (
    <aside>
      <PhoneFrame
        positionCode={place}
        fileId={typeof fileId === 'number' ? String(fileId) : fileId}
        altText={altText}
        owner={id ? { ownerType: ADVERT_TARGET, ownerId: id } : undefined}
        ad={{ sponsorName: sponsorName ?? '', disclaimer: disclaimer ?? '' }}
      />
    </aside>
  );
}

const valuesOf = (row: AdvertRow): Values => ({
  adName: row.adName,
  sponsorType: row.sponsorType,
  sponsorId: row.sponsorId,
  sponsorName: row.sponsorName,
  adClass: row.adClass,
  approvalNo: row.approvalNo,
  approvalUntil: row.approvalUntil,
  approvalFileId: row.approvalFileId,
  disclaimer: row.disclaimer,
  capPerPersonDay: row.capPerPersonDay,
  capPerPersonTotal: row.capPerPersonTotal,
  closable: row.closable,
  showSeconds: row.showSeconds,
  budgetType: row.budgetType,
  budgetCount: row.budgetCount,
  contractRef: row.contractRef,
  positionCode: row.positionCode,
  imageFileId: row.imageFileId,
  altText: row.altText,
  linkType: row.linkType,
  linkValue: row.linkValue,
  linkParams: row.linkParams,
  startAt: row.startAt,
  endAt: row.endAt,
  weekdays: weekdaysOf(row.weekdays),
  dailyFrom: row.dailyFrom,
  dailyTo: row.dailyTo,
  audience: audienceDraftOf(row.audience),
  priority: row.priority,
});

/** What belongs to another choice is not sent with this one. */
const sent = (values: Values): Values => {
  const regulated = needsApproval(values.adClass);
  return {
    ...values,
    approvalNo: regulated ? (values.approvalNo ?? '') : '',
    approvalUntil: regulated ? (values.approvalUntil ?? null) : null,
    approvalFileId: regulated ? (values.approvalFileId ?? null) : null,
    budgetCount: values.budgetType === 'NONE' ? null : (values.budgetCount ?? null),
    showSeconds: positionOf(values.positionCode).kind === 'SPLASH' ? (values.showSeconds ?? null) : null,
  };
};

/** Drawer 新增/编辑广告: the class says at once which rules apply. */
export function AdvertForm({ row, onClose }: { row: AdvertRow | null; onClose(): void }) {
  const [form] = Form.useForm<Values>();
  const fields = (
    <div className="dl-form">
      <div>
        <Field of={addAdvertise} name="adName" />
        <SponsorFields />
        <Field of={addAdvertise} name="adClass" />
        <ClassFields />
        <DeliveryFields kind="AD" id={row?.id} />
        <CapFields />
      </div>
      <Preview id={row?.id} />
    </div>
  );
  const shared = {
    open: true,
    width: WIDTH,
    form,
    labels: advertLabels,
    refreshes,
    onClose,
    onValuesChange: (changed: Partial<Values>, values: Values) => {
      if (changed.sponsorType !== undefined) form.setFieldsValue({ sponsorId: null, sponsorName: '' });
      if (changed.adClass === 'SUPPLEMENT' && !values.disclaimer) form.setFieldValue('disclaimer', SUPPLEMENT_SENTENCE);
    },
  } as const;
  if (row === null)
    return (
      <FormDrawer<typeof addAdvertise, Values>
        {...shared}
        title="新增广告"
        call={addAdvertise}
        initial={{
          linkType: 'NONE',
          linkValue: '',
          linkParams: '',
          altText: '',
          disclaimer: '',
          approvalNo: '',
          weekdays: [],
          audience: {},
          priority: 50,
          capPerPersonDay: 3,
          closable: true,
          budgetType: 'NONE',
          contractRef: '',
        }}
        toInput={sent}
        success={SERVER_MESSAGE}
      >
        {fields}
      </FormDrawer>
    );
  return (
    <FormDrawer<typeof modifyAdvertise, Values>
      {...shared}
      title={`编辑广告：${row.adName}`}
      call={modifyAdvertise}
      recordKey={row.id}
      initial={valuesOf(row)}
      toInput={(values) => ({ ...sent(values), id: row.id, version: row.version })}
      success="修改成功!"
    >
      {fields}
    </FormDrawer>
  );
}
