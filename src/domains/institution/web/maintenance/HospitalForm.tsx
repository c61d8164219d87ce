import { Button, Form, Input } from 'antd';
import { useState } from 'react';
import type { AnswerOf } from '#kernel/contract/call.ts';
import { picked } from '#kernel/contract/field.ts';
import { displayBy } from '#kernel/web/form/conflictRows.ts';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { FormRecord } from '#kernel/web/form/FormRecord.tsx';
import { send } from '#kernel/web/http/client.ts';
import { HospitalPicker } from '#kernel/web/kit/pickers.tsx';
import { hospitalKinds, hospitalLevels, ownerships } from '../../contract/dictionaries.ts';
import { queryDuplicateHospital, type Candidate } from '../../contract/duplicateCalls.ts';
import {
  addHospital,
  hospitalFactKeys,
  hospitalFactsInput as facts,
  hospitalLabels,
  modifyHospital,
  queryHospitalCounts,
  queryHospitalDetail,
  queryHospitalList,
} from '../../contract/hospitalCalls.ts';
import { Candidates } from '../shared/Candidates.tsx';
import { PlaceFields } from '../shared/PlaceFields.tsx';
import { factsOf, type HospitalValues as Values } from './hospitalFacts.ts';

function Fields({ form }: { form: ReturnType<typeof Form.useForm<Values>>[0] }) {
  return (
    <>
      <div className="in-section">基本</div>
      <div className="in-two">
        <Field of={facts} name="name" />
        <Field of={facts} name="shortName" />
      </div>
      <div className="in-three">
        <Field of={facts} name="level" />
        <Field of={facts} name="kind" />
        <Field of={facts} name="ownership" />
      </div>
      <div className="in-two">
        <Field of={facts} name="parentId" extra="本院为院区时选择">
          <HospitalPicker placeholder="不是院区则留空" />
        </Field>
        <Field of={facts} name="campusName" />
      </div>
      <div className="in-section">资质</div>
      <div className="in-two">
        <Field of={facts} name="uscc" />
        <Field of={facts} name="nhsaCode" />
        <Field of={facts} name="licenceNo" />
        <Field of={facts} name="licenceValidTo" />
      </div>
      <div className="in-section">位置</div>
      <PlaceFields of={facts} form={form} />
      <div className="in-section">介绍</div>
      <div className="in-two">
        <Field of={facts} name="phone" />
        <Field of={facts} name="website" />
      </div>
      <Field of={facts} name="introduction" />
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
      initial={picked(data, hospitalFactKeys)}
      toInput={(values) => ({ id: data.id, version: data.version, ...factsOf(values) })}
      success="修改成功!"
      valuesOf={(current) => current}
      onClose={onClose}
    >
      <Fields form={form} />
    </FormDrawer>
  );
}
