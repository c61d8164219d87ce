import { Form, Select } from 'antd';
import { lazy, Suspense } from 'react';
import { picked } from '#kernel/contract/field.ts';
import { displayBy } from '#kernel/web/form/conflictRows.ts';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { MoneyInput } from '#kernel/web/kit/MoneyInput.tsx';
import { FormRecord } from '#kernel/web/form/FormRecord.tsx';
import { toast } from '#kernel/web/feedback/toast.ts';
import { accountOwners, capabilities, locateSources, storeTags } from '../../contract/dictionaries.ts';
import {
  addDrugstore,
  modifyDrugstore,
  queryDrugstoreDetail,
  queryDrugstoreList,
  queryStoreChangeList,
  type StoreDetail,
} from '../../contract/storeCalls.ts';
import { storeFactKeys, storeFactsInput, storeLabels, type StoreFacts } from '../../contract/storeFacts.ts';
import { PlaceFields } from '../shared/PlaceFields.tsx';
import { AccountFields, accountInput, accountText, type AccountValues } from './AccountFields.tsx';

const ChainPicker = lazy(async () => ({ default: (await import('./ChainPicker.tsx')).ChainPicker }));

type Values = Partial<Omit<StoreFacts, 'account'>> & { account?: AccountValues; reason?: string };
const options = (dictionary: { options: readonly { value: string; label: string }[] }) =>
  dictionary.options.map(({ value, label }) => ({ value, label }));

const bodyOf = ({ account, reason: _reason, managerMobile, ...values }: Values) => ({
  name: values.name ?? '',
  chainId: values.chainId ?? null,
  chainStoreCode: values.chainStoreCode?.trim() || null,
  storeTags: values.storeTags ?? [],
  uscc: values.uscc?.trim() || null,
  nhsaCode: values.nhsaCode?.trim() || null,
  adcode: values.adcode ?? '',
  address: values.address ?? '',
  lngE6: values.lngE6 ?? null,
  latE6: values.latE6 ?? null,
  locateSource: values.locateSource ?? null,
  phone: values.phone ?? '',
  managerName: values.managerName ?? '',
  ...(managerMobile && { managerMobile }),
  pharmacistName: values.pharmacistName ?? '',
  pharmacistCertNo: values.pharmacistCertNo ?? '',
  accountOf: values.accountOf ?? 'NONE',
  ...(values.accountOf === 'SHOP' && accountInput(account)),
  capabilities: values.capabilities ?? [],
  deliveryRadiusM: values.deliveryRadiusM ?? null,
  deliveryFeeFen: values.deliveryFeeFen ?? null,
  freeOverFen: values.freeOverFen ?? null,
});

function Fields({ form, store }: { form: ReturnType<typeof Form.useForm<Values>>[0]; store: StoreDetail | null }) {
  const tags = Form.useWatch('storeTags', form) ?? [];
  const able = Form.useWatch('capabilities', form) ?? [];
  const accountOf = Form.useWatch('accountOf', form);
  const radius = Form.useWatch('deliveryRadiusM', form) ?? null;
  return (
    <>
      {store && (store.state === 'OPEN' || store.state === 'SUSPENDED') && (
        <p className="kq-muted">门店类型、信用代码、医保编码、收款账户以及超过500米的位置变更，须审核后生效；其他内容立即生效。</p>
      )}
      <div className="in-section">基本</div>
      <div className="in-two">
        <Field of={storeFactsInput} name="name" />
        <Field of={storeFactsInput} name="storeTags">
          <Select mode="multiple" placeholder="请选择" options={options(storeTags)} />
        </Field>
        <Suspense fallback={null}>
          <Field of={storeFactsInput} name="chainId" starred={tags.includes('CHAIN')}>
            <ChainPicker />
          </Field>
        </Suspense>
        <Field of={storeFactsInput} name="chainStoreCode" />
        <Field of={storeFactsInput} name="uscc" />
        <Field of={storeFactsInput} name="nhsaCode" placeholder="P33010600001" />
        <Field of={storeFactsInput} name="phone" />
        <Field of={storeFactsInput} name="managerName" />
        <Field
          of={storeFactsInput}
          name="managerMobile"
          extra={store?.managerMobile ? `当前：${store.managerMobile}，不修改请留空` : undefined}
        />
        <Field of={storeFactsInput} name="capabilities">
          <Select mode="multiple" placeholder="请选择" options={options(capabilities)} />
        </Field>
        <Field of={storeFactsInput} name="pharmacistName" starred={able.includes('RX')} />
        <Field of={storeFactsInput} name="pharmacistCertNo" />
      </div>
      {able.includes('DELIVERY') && (
        <div className="in-three">
          <Field of={storeFactsInput} name="deliveryRadiusM" label="配送半径（米）" required />
          <Field of={storeFactsInput} name="deliveryFeeFen" label="配送费（元）">
            <MoneyInput />
          </Field>
          <Field of={storeFactsInput} name="freeOverFen" label="满额免配送费（元）" />
        </div>
      )}
      <div className="in-section">位置</div>
      <PlaceFields of={storeFactsInput} form={form} radiusM={able.includes('DELIVERY') ? radius : null} />
      <div className="in-section">收款账户</div>
      <Field of={storeFactsInput} name="accountOf" label="账户归属">
        <Select placeholder="请选择" options={options(accountOwners)} />
      </Field>
      {accountOf === 'SHOP' && <AccountFields kept={store?.accountOf === 'SHOP' ? accountText(store.account) : null} />}
      {store && <Field of={modifyDrugstore} name="reason" />}
    </>
  );
}
const reads = [queryDrugstoreList, queryDrugstoreDetail, queryStoreChangeList];

export function AddStoreForm({ onClose }: { onClose(): void }) {
  const [form] = Form.useForm<Values>();
  return (
    <FormDrawer<typeof addDrugstore, Values>
      open
      title="新增药店"
      width={760}
      form={form}
      call={addDrugstore}
      labels={storeLabels}
      refreshes={reads}
      initial={{ storeTags: [], capabilities: [], accountOf: 'NONE' }}
      toInput={bodyOf}
      success="message"
      onClose={onClose}
    >
      <Fields form={form} store={null} />
    </FormDrawer>
  );
}

export function EditStoreForm({ storeId, onClose }: { storeId: string; onClose(): void }) {
  return (
    <FormRecord call={queryDrugstoreDetail} input={{ storeId }} title="编辑药店" width={760} onClose={onClose}>
      {(store) => <Editing store={store} onClose={onClose} />}
    </FormRecord>
  );
}

const display = displayBy({ storeTags, capabilities, accountOf: accountOwners, locateSource: locateSources });

function Editing({ store: data, onClose }: { store: StoreDetail; onClose(): void }) {
  const [form] = Form.useForm<Values>();
  // The page knows the masked account and mobile only.
  const { account: _account, managerMobile: _mobile, ...shown } = data;
  return (
    <FormDrawer<typeof modifyDrugstore, Values>
      open
      title={`编辑药店：${data.name}`}
      width={760}
      form={form}
      call={modifyDrugstore}
      recordKey={data.id}
      labels={storeLabels}
      display={display}
      valuesOf={(current) => current}
      refreshes={reads}
      initial={picked(shown, storeFactKeys)}
      toInput={(values) => ({ id: data.id, version: data.version, ...bodyOf(values), reason: values.reason ?? '' })}
      onDone={({ data: answer }) => toast(answer.changeNo ? `修改成功!其中需审核的内容已提交（${answer.changeNo}）` : '修改成功!')}
      onClose={onClose}
    >
      <Fields form={form} store={data} />
    </FormDrawer>
  );
}
