import { Form, Input, Tabs, type FormInstance } from 'antd';
import { useEffect, useState, type ReactNode } from 'react';
import type { InputOf } from '#kernel/contract/call.ts';
import type { UploadedFile } from '#kernel/web/files/places.ts';
import { Upload } from '#kernel/web/files/Upload.tsx';
import { ClockInput } from '#kernel/web/form/ClockInput.tsx';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { againstNow } from '#kernel/web/form/formRules.ts';
import { todayHere } from '#kernel/web/form/today.ts';
import { toastError } from '#kernel/web/feedback/toast.ts';
import { useData } from '#kernel/web/http/queries.ts';
import { failureText } from '#kernel/web/http/refusal.ts';
import type { PageWindowProps } from '#kernel/web/pageWindows.tsx';
import {
  addSupplier,
  hasStore,
  modifySupplier,
  querySupplierDetail,
  querySupplierList,
  type SupplierDetail,
} from '../../contract/calls/supplier.ts';
import type { SupplierType } from '../../contract/dictionaries.ts';
import { SUPPLIER_LICENCE } from '../../contract/purposes.ts';
import { StoreSelect } from '../selects.tsx';

type Of = typeof addSupplier | typeof modifySupplier;
type NewValues = Omit<InputOf<typeof addSupplier>, 'licenseFileIds'> & { licenseFileIds?: readonly UploadedFile[] };
type Values = Omit<InputOf<typeof modifySupplier>, 'id' | 'version' | 'licenseFileIds'> & { licenseFileIds?: readonly UploadedFile[] };

const refreshes = [querySupplierList, querySupplierDetail];
const idsOf = (files: readonly UploadedFile[] | undefined) => (files ?? []).map(({ fileId }) => fileId);

/** A licence that is entered anew has not ended; the stored one stays what it is. */
const licenceRule = (label: string, stored: string | null) =>
  againstNow((day: string | null | undefined) => (day && day !== stored && day <= todayHere() ? `${label}须晚于今天` : null));

/** Which tab a field stands on, so that a faulty one is shown. */
const TAB_OF: Readonly<Record<string, string>> = {
  licenseNo: 'licence',
  licenseExpireAt: 'licence',
  licenseFileIds: 'licence',
  gspExpireAt: 'licence',
  dailyCapacity: 'freight',
  cutoffTime: 'freight',
  acceptSlaMin: 'freight',
  shipSlaHour: 'freight',
  freightFirstFen: 'freight',
  freightStepFen: 'freight',
  freeShipFen: 'freight',
  integration: 'connection',
  endpoint: 'connection',
  appKey: 'connection',
  secret: 'connection',
};

/** What depends on another field goes with it. */
const emptied = (form: FormInstance) => (changed: object) => {
  if ('supplierType' in changed) form.setFieldValue('drugstoreId', null);
};

interface FieldsProps {
  of: Of;
  first: ReactNode;
  detail?: SupplierDetail;
  tab: string;
  onTab(tab: string): void;
}

function ConnectionFields({ of, hasSecret }: { of: Of; hasSecret: boolean }) {
  const isApi = Form.useWatch('integration') === 'API';
  return (
    <>
      <Field of={of} name="integration" />
      <Field of={of} name="endpoint" starred={isApi} placeholder="https://" />
      <Field of={of} name="appKey" starred={isApi} />
      <Field of={of} name="secret" extra="只能写入，保存后不再显示">
        <Input.Password autoComplete="new-password" placeholder={hasSecret ? '已设置，不修改请留空' : '请输入'} />
      </Field>
    </>
  );
}

function SupplierFields({ of, first, detail, tab, onTab }: FieldsProps) {
  const type = Form.useWatch<SupplierType | undefined>('supplierType');
  const basic = (
    <>
      {first}
      <Field of={of} name="supplierName" />
      <Field of={of} name="supplierType" />
      {type !== undefined && hasStore(type) && (
        <Field of={of} name="drugstoreId">
          <StoreSelect known={detail?.drugstoreId ? [{ value: detail.drugstoreId, label: detail.drugstoreName ?? '' }] : []} />
        </Field>
      )}
      <Field of={of} name="coldChainCapable" />
      <Field of={of} name="contactName" />
      <Field of={of} name="contactMobile" {...(detail && { placeholder: `${detail.contactMobile}（不修改请留空）` })} />
    </>
  );
  const licence = (
    <>
      <Field of={of} name="licenseNo" />
      <Field of={of} name="licenseExpireAt" rules={[licenceRule('许可证有效期', detail?.licenseExpireAt ?? null)]} />
      <Field of={of} name="licenseFileIds" extra="提交审核前须上传">
        <Upload purpose={SUPPLIER_LICENCE} max={5} />
      </Field>
      <Field of={of} name="gspExpireAt" rules={[licenceRule('GSP证书有效期', detail?.gspExpireAt ?? null)]} />
    </>
  );
  const freight = (
    <>
      <Field of={of} name="freightFirstFen" label="首重运费（元）" extra="第1公斤" />
      <Field of={of} name="freightStepFen" label="续重运费（元）" extra="以后每公斤" />
      <Field of={of} name="freeShipFen" label="包邮金额（元）" placeholder="不填为不包邮" />
      <Field of={of} name="acceptSlaMin" />
      <Field of={of} name="shipSlaHour" />
      <Field of={of} name="dailyCapacity" placeholder="不填为不限" />
      <Field of={of} name="cutoffTime" extra="之后的订单计入次日产能">
        <ClockInput placeholder="不填为不截单" />
      </Field>
    </>
  );
  return (
    <Tabs
      activeKey={tab}
      onChange={onTab}
      items={[
        { key: 'basic', label: '基本信息', children: basic, forceRender: true },
        { key: 'licence', label: '证照', children: licence, forceRender: true },
        { key: 'freight', label: '运费与时效', children: freight, forceRender: true },
        {
          key: 'connection',
          label: '对接',
          children: <ConnectionFields of={of} hasSecret={detail?.hasSecret ?? false} />,
          forceRender: true,
        },
      ]}
    />
  );
}

/** 新增: a draft; regions, goods and pauses are set once it is there. */
export function NewSupplier({ onChanged, onClose }: PageWindowProps) {
  const [form] = Form.useForm<NewValues>();
  const [tab, setTab] = useState('basic');
  return (
    <FormDrawer<typeof addSupplier, NewValues>
      open
      title="新增供应商"
      width={720}
      call={addSupplier}
      form={form}
      initial={{
        coldChainCapable: false,
        acceptSlaMin: 120,
        shipSlaHour: 24,
        drugstoreId: null,
        gspExpireAt: null,
        freeShipFen: null,
        dailyCapacity: null,
        cutoffTime: null,
        endpoint: '',
        appKey: '',
        secret: '',
      }}
      toInput={({ licenseFileIds, ...values }) => ({ ...values, licenseFileIds: idsOf(licenseFileIds) })}
      refreshes={refreshes}
      success="新增成功!"
      onValuesChange={emptied(form)}
      onFaulty={([name]) => setTab(TAB_OF[name ?? ''] ?? 'basic')}
      onDone={onChanged}
      onClose={onClose}
    >
      <SupplierFields
        of={addSupplier}
        first={<Field of={addSupplier} name="supplierCode" extra="保存后不能修改" />}
        tab={tab}
        onTab={setTab}
      />
    </FormDrawer>
  );
}

function EditForm({ detail, onChanged, onClose }: Omit<PageWindowProps, 'record'> & { detail: SupplierDetail }) {
  const [form] = Form.useForm<Values>();
  const [tab, setTab] = useState('basic');
  const { supplier } = detail;
  const isRunning = supplier.status === 'ENABLED' || supplier.status === 'PAUSED';
  const { supplierName, supplierType, coldChainCapable, integration, dailyCapacity } = supplier;
  const { drugstoreId, contactName, licenseNo, licenseExpireAt, gspExpireAt, cutoffTime, acceptSlaMin, shipSlaHour } = detail;
  const { freightFirstFen, freightStepFen, freeShipFen, endpoint, appKey } = detail;
  return (
    <FormDrawer<typeof modifySupplier, Values>
      open
      title={`编辑供应商 ${supplier.supplierCode}`}
      width={720}
      call={modifySupplier}
      form={form}
      recordKey={supplier.id}
      initial={{
        supplierName,
        supplierType,
        coldChainCapable,
        integration,
        dailyCapacity,
        drugstoreId,
        contactName,
        licenseNo,
        licenseExpireAt,
        gspExpireAt,
        cutoffTime,
        acceptSlaMin,
        shipSlaHour,
        freightFirstFen,
        freightStepFen,
        freeShipFen,
        endpoint,
        appKey,
        secret: '',
        licenseFileIds: detail.licenseFileIds.map((fileId, at) => ({
          fileId,
          fileName: `许可证文件${at + 1}`,
          detectedType: null,
          size: null,
          pageCount: null,
        })),
      }}
      toInput={({ licenseFileIds, contactMobile, ...values }) => ({
        ...values,
        ...(contactMobile && { contactMobile }),
        licenseFileIds: idsOf(licenseFileIds),
        id: supplier.id,
        version: supplier.version,
      })}
      refreshes={refreshes}
      success="修改成功!"
      {...(isRunning && { footer: '修改名称、类型、证照、冷链或对接资料后须重新审核，审核通过前不接单' })}
      onValuesChange={emptied(form)}
      onFaulty={([name]) => setTab(TAB_OF[name ?? ''] ?? 'basic')}
      onDone={onChanged}
      onClose={onClose}
    >
      <SupplierFields
        of={modifySupplier}
        first={
          <Form.Item label="供应商编码">
            <span>{supplier.supplierCode}</span>
          </Form.Item>
        }
        detail={detail}
        tab={tab}
        onTab={setTab}
      />
    </FormDrawer>
  );
}

/** 编辑 of the row that the page names. */
export function SupplierEdit({ record, onChanged, onClose }: PageWindowProps) {
  const { data, error } = useData(querySupplierDetail, { id: record }, { quiet: true });
  useEffect(() => {
    if (!error) return;
    toastError(failureText(error));
    onClose();
  }, [error, onClose]);
  return data ? <EditForm detail={data} onChanged={onChanged} onClose={onClose} /> : null;
}
