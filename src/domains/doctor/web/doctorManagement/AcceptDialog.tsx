import { DatePicker, Form, Modal } from 'antd';
import dayjs, { type Dayjs } from 'dayjs';
import { Field } from '#kernel/web/form/Field.tsx';
import { useCommand } from '#kernel/web/http/queries.ts';
import { changeAcceptState, queryDoctorDetail, queryDoctorList } from '../../contract/calls/doctors.ts';
import type { DoctorDetail } from '../../contract/calls/doctorDetail.ts';

interface StopValues {
  days?: [Dayjs | null, Dayjs | null];
  opinion: string;
}

/** 停诊 with its days, or the end of it. */
export function AcceptDialog({ doctor, onClose }: { doctor: DoctorDetail; onClose(): void }) {
  const [form] = Form.useForm<StopValues>();
  const command = useCommand(changeAcceptState, {
    refreshes: [queryDoctorDetail, queryDoctorList],
    success: 'message',
    onSuccess: onClose,
  });
  const stopping = doctor.acceptState === 'ON';
  const submit = ({ days, opinion }: StopValues) => {
    const [from, to] = days ?? [];
    void command.run({
      doctorId: doctor.doctorId,
      version: doctor.version,
      acceptState: stopping ? 'OFF' : 'ON',
      offFrom: stopping ? (from?.format('YYYY-MM-DD') ?? null) : null,
      offUntil: stopping ? (to?.format('YYYY-MM-DD') ?? null) : null,
      opinion,
    });
  };
  return (
    <Modal
      open
      title={stopping ? `停诊：${doctor.name}` : `恢复接诊：${doctor.name}`}
      okText="确定"
      cancelText="取消"
      confirmLoading={command.flying}
      onOk={() => form.submit()}
      onCancel={onClose}
    >
      <Form form={form} layout="vertical" onFinish={submit}>
        {stopping && (
          <Form.Item label="停诊日期" name="days" extra="不填结束日期时，须手工恢复接诊。">
            <DatePicker.RangePicker className="kq-wide" allowEmpty={[false, true]} minDate={dayjs()} />
          </Form.Item>
        )}
        <Field of={changeAcceptState} name="opinion" />
      </Form>
    </Modal>
  );
}
