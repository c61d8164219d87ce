import { Button, DatePicker, Form, Input, Select } from 'antd';
import dayjs from 'dayjs';
import { useState } from 'react';
import type { AnswerOf } from '../../../../kernel/contract/call.ts';
import { displayBy } from '../../../../kernel/web/form/conflictRows.ts';
import { FormDrawer } from '../../../../kernel/web/form/FormDrawer.tsx';
import { FormRecord } from '../../../../kernel/web/form/FormRecord.tsx';
import { send } from '../../../../kernel/web/http/client.ts';
import { HospitalPicker } from '../../../../kernel/web/kit/pickers.tsx';
import { isUscc } from '../../../../kernel/contract/uscc.ts';
import { hospitalKinds, hospitalLevels, ownerships } from '../../contract/dictionaries.ts';
import { queryDuplicateHospital, type Candidate } from '../../contract/duplicateCalls.ts';
import { isPhone } from '../../contract/fields.ts';
import {
  addHospital,
  hospitalLabels,
  modifyHospital,
  queryHospitalCounts,
  queryHospitalDetail,
  queryHospitalList,
} from '../../contract/hospitalCalls.ts';
import { Candidates } from '../shared/Candidates.tsx';
import { PlaceFields } from '../shared/PlaceFields.tsx';
import { factsOf, type HospitalValues as Values } from './hospitalFacts.ts';

const options = (dictionary: { options: readonly { value: string; label: string }[] }) =>
  dictionary.options.map(({ value, label }) => ({ value, label }));
const check = (test: (value: string) => boolean, message: string) => ({
  validator: async (_rule: unknown, value?: string | null) => {
    if (value && !test(value)) throw new Error(message);
  },
});

function Fields({ form }: { form: ReturnType<typeof Form.useForm<Values>>[0] }) {
  return (
    <>
      <div className="in-section">基本</div>
      <div className="in-two">
        <Form.Item label={hospitalLabels.name} name="name" rules={[{ required: true, whitespace: true, message: '请输入医院名称' }]}>
          <Input maxLength={100} placeholder="与执照一致" />
        </Form.Item>
        <Form.Item label={hospitalLabels.shortName} name="shortName">
          <Input maxLength={30} />
        </Form.Item>
      </div>
      <div className="in-three">
        <Form.Item label={hospitalLabels.level} name="level" rules={[{ required: true, message: '请选择医院等级' }]}>
          <Select placeholder="请选择" options={options(hospitalLevels)} />
        </Form.Item>
        <Form.Item label={hospitalLabels.kind} name="kind" rules={[{ required: true, message: '请选择类型' }]}>
          <Select placeholder="请选择" options={options(hospitalKinds)} />
        </Form.Item>
        <Form.Item label={hospitalLabels.ownership} name="ownership" rules={[{ required: true, message: '请选择性质' }]}>
          <Select placeholder="请选择" options={options(ownerships)} />
        </Form.Item>
      </div>
      <div className="in-two">
        <Form.Item label={hospitalLabels.parentId} name="parentId" extra="本院为院区时选择">
          <HospitalPicker placeholder="不是院区则留空" />
        </Form.Item>
        <Form.Item label={hospitalLabels.campusName} name="campusName">
          <Input maxLength={50} placeholder="如 湖滨院区" />
        </Form.Item>
      </div>
      <div className="in-section">资质</div>
      <div className="in-two">
        <Form.Item label={hospitalLabels.uscc} name="uscc" rules={[check((value) => isUscc(value.trim()), '统一社会信用代码校验不通过')]}>
          <Input maxLength={18} />
        </Form.Item>
        <Form.Item
          label={hospitalLabels.nhsaCode}
          name="nhsaCode"
          rules={[check((value) => /^H\d{11}$/.test(value.trim()), '医保编码格式应为H加11位数字')]}
        >
          <Input maxLength={12} placeholder="H33010000001" />
        </Form.Item>
        <Form.Item
          label={hospitalLabels.licenceNo}
          name="licenceNo"
          rules={[check((value) => /^[0-9A-Z]{15,22}$/.test(value.trim()), '许可证号应为15至22位数字或大写字母')]}
        >
          <Input maxLength={22} />
        </Form.Item>
        <Form.Item
          label={hospitalLabels.licenceValidTo}
          name="licenceValidTo"
          getValueProps={(value: string | null) => ({ value: value ? dayjs(value) : null })}
          normalize={(value: { format(as: string): string } | null) => value?.format('YYYY-MM-DD') ?? null}
        >
          <DatePicker className="kq-wide" />
        </Form.Item>
      </div>
      <div className="in-section">位置</div>
      <PlaceFields form={form} />
      <div className="in-section">介绍</div>
      <div className="in-two">
        <Form.Item label={hospitalLabels.phone} name="phone" rules={[check(isPhone, '电话格式不正确')]}>
          <Input maxLength={20} placeholder="0571-87065701" />
        </Form.Item>
        <Form.Item
          label={hospitalLabels.website}
          name="website"
          rules={[check((value) => /^https?:\/\/\S+$/.test(value), '官网须以http://或https://开头')]}
        >
          <Input maxLength={200} placeholder="https://" />
        </Form.Item>
      </div>
      <Form.Item label={hospitalLabels.introduction} name="introduction">
        <Input.TextArea rows={3} maxLength={2000} showCount />
      </Form.Item>
      <Form.Item name="logoFileId" hidden>
        <Input />
      </Form.Item>
    </>
  );
}

const reads = [queryHospitalList, queryHospitalDetail, queryHospitalCounts];

/** Drawer 新增医院: shows who may be the same before it saves. */
export function AddHospitalForm({ onClose }: { onClose(): void }) {
  const [form] = Form.useForm<Values>();
  const [found, setFound] = useState<readonly Candidate[] | null>(null);
  const look = async () => {
    const values = await form.validateFields().catch(() => null);
    if (values) setFound(await send(queryDuplicateHospital, { facts: factsOf(values) }));
  };
  return (
    <FormDrawer<typeof addHospital, Values>
      open
      title="新增医院"
      width={760}
      form={form}
      call={addHospital}
      labels={hospitalLabels}
      refreshes={reads}
      initial={{ kind: 'GENERAL', ownership: 'PUBLIC' }}
      toInput={(values) => ({ ...factsOf(values), confirmNotDuplicate: (found ?? []).map(({ hospitalId }) => hospitalId) })}
      success="message"
      onClose={onClose}
      footer={<Button onClick={() => void look()}>查重</Button>}
    >
      {found && <Candidates candidates={found} empty="没有发现疑似重复的医院" note="保存即确认以下均不是同一家医院。" />}
      <Fields form={form} />
    </FormDrawer>
  );
}

/** Drawer 编辑. */
export function EditHospitalForm({ hospitalId, onClose }: { hospitalId: string; onClose(): void }) {
  return (
    <FormRecord call={queryHospitalDetail} input={{ hospitalId }} title="编辑医院" width={760} onClose={onClose}>
      {(hospital) => <Editing hospital={hospital} onClose={onClose} />}
    </FormRecord>
  );
}

const display = displayBy({ level: hospitalLevels, kind: hospitalKinds, ownership: ownerships });

function Editing({ hospital: data, onClose }: { hospital: AnswerOf<typeof queryHospitalDetail>; onClose(): void }) {
  const [form] = Form.useForm<Values>();
  const {
    name,
    shortName,
    level,
    kind,
    ownership,
    adcode,
    address,
    lngE6,
    latE6,
    uscc,
    licenceNo,
    licenceValidTo,
    nhsaCode,
    phone,
    website,
    introduction,
    parentId,
    campusName,
    logoFileId,
  } = data;
  return (
    <FormDrawer<typeof modifyHospital, Values>
      open
      title={`编辑医院：${data.name}`}
      width={760}
      form={form}
      call={modifyHospital}
      recordKey={data.id}
      display={display}
      labels={hospitalLabels}
      refreshes={reads}
      initial={{
        name,
        shortName,
        level,
        kind,
        ownership,
        adcode,
        address,
        lngE6,
        latE6,
        uscc,
        licenceNo,
        licenceValidTo,
        nhsaCode,
        phone,
        website,
        introduction,
        parentId,
        campusName,
        logoFileId,
      }}
      toInput={(values) => ({ id: data.id, version: data.version, ...factsOf(values) })}
      success="修改成功!"
      valuesOf={(current) => current}
      onClose={onClose}
    >
      <Fields form={form} />
    </FormDrawer>
  );
}
