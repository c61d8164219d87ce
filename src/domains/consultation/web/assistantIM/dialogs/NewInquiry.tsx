import { Form, Select } from 'antd';
import { useMemo, useState } from 'react';
import { yuan } from '#kernel/contract/money.ts';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDialog } from '#kernel/web/form/FormDrawer.tsx';
import { Upload } from '#kernel/web/files/Upload.tsx';
import type { UploadedFile } from '#kernel/web/files/places.ts';
import { copyText } from '#kernel/web/feedback/copy.ts';
import { ask } from '#kernel/web/feedback/dialogs.tsx';
import { useData } from '#kernel/web/http/queries.ts';
import { newKey } from '#kernel/web/http/request.ts';
import { queryDeskDoctors } from '../../../contract/calls/desks.ts';
import { addInquiry } from '../../../contract/calls/inquiry.ts';
import { groupConversation } from '../../../contract/im/ids.ts';
import type { ConversationID } from '../../../contract/im/types.ts';
import type { Mode } from '../desk/choose.ts';
import { CHAT_PURPOSE } from '../desk/facts.ts';
import { useDesk, usePatientId } from '../desk/useDesk.ts';
import { closeDialog } from './open.ts';
import { OpeningFields, slotOf, type OpeningValues } from './OpeningFields.tsx';

interface Values extends OpeningValues {
  doctorId: string;
  chiefComplaint: string;
  files?: UploadedFile[];
}
interface NewInquiryProps {
  patient: { operatorId: string; patientId: string | null; name: string };
  groupId: string | null;
  onChoose(id: ConversationID, mode: Mode): void;
}

/** 代开问诊: for the patient of the conversation with a doctor and service; the pay link is shown where there is a fee. */
export function NewInquiry({ patient, groupId, onChoose }: NewInquiryProps) {
  const desk = useDesk();
  const known = usePatientId();
  const patientId = patient.patientId ?? known;
  const [form] = Form.useForm<Values>();
  const [word, setWord] = useState('');
  const doctors = useData(queryDeskDoctors, word.trim() ? { keyword: word.trim() } : {}, { quiet: true, fresh: 30_000 });
  const doctorId = Form.useWatch('doctorId', form);
  const doctor = doctors.data?.find((one) => one.doctorId === doctorId);
  const key = useMemo(() => newKey(), []);
  return (
    <FormDialog<typeof addInquiry, Values>
      open
      form={form}
      title={`代开问诊：${patient.name}`}
      width={560}
      call={addInquiry}
      submitText="开具"
      onClose={closeDialog}
      recordKey={key}
      toInput={(values) => ({
        suffererOperatorId: patient.operatorId,
        openingId: values.openingId,
        source: groupId ? 'DESK' : 'STAFF',
        chiefComplaint: values.chiefComplaint,
        attachmentFileIds: (values.files ?? []).map(({ fileId }) => fileId),
        ...(patientId ? { patientId } : {}),
        ...(slotOf(values) ? { slotAt: slotOf(values)! } : {}),
        ...(groupId ? { groupId } : {}),
      })}
      onDone={({ data }) => {
        if (groupId) desk.changed(groupId);
        if (data.payUrl)
          void ask({
            title: '问诊已开具',
            content: `请患者支付 ¥${yuan(Number(data.payFen))}。支付链接：${data.payUrl}`,
            ok: '复制支付链接',
          }).then((yes) => (yes ? copyText(data.payUrl ?? '', '支付链接已复制') : undefined));
        else if (data.groupId) onChoose(groupConversation(data.groupId), 'MEMBER');
      }}
    >
      <Form.Item label="医生" name="doctorId" rules={[{ required: true, message: '请选择医生' }]}>
        <Select
          showSearch={{ filterOption: false, onSearch: setWord }}
          loading={doctors.fetching}
          placeholder="按姓名、医院或科室查找"
          notFoundContent={doctors.fetching ? '加载中…' : '没有符合的医生'}
          onChange={() => form.setFieldValue('openingId', undefined)}
          options={(doctors.data ?? []).map((one) => ({
            value: one.doctorId,
            label: `${one.doctorName} ${one.titleName} · ${one.hospitalName} ${one.departmentName}`,
          }))}
        />
      </Form.Item>
      <OpeningFields doctor={doctor} />
      <Field of={addInquiry} name="chiefComplaint" />
      <Form.Item label="附件" name="files">
        <Upload purpose={CHAT_PURPOSE} max={9} />
      </Form.Item>
    </FormDialog>
  );
}
