import { Form, Modal } from 'antd';
import { DayRangeInput } from '#kernel/web/form/DayRangeInput.tsx';
import { Field } from '#kernel/web/form/Field.tsx';
import { todayHere } from '#kernel/web/form/today.ts';
import type { DayRange } from '#kernel/web/form/typedDay.ts';
import { useCommand } from '#kernel/web/http/queries.ts';
import { changeAcceptState, queryDoctorDetail, queryDoctorList } from '../../contract/calls/doctors.ts';
import type { DoctorDetail } from '../../contract/calls/doctorDetail.ts';

interface StopValues {
  days?: DayRange;
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
    const [from = null, to = null] = days ?? [];
    void command.run({
      doctorId: doctor.doctorId,
      version: doctor.version,
      acceptState: stopping ? 'OFF' : 'ON',
      offFrom: stopping ? from : null,
      offUntil: stopping ? to : null,
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
            <DayRangeInput open={[false, true]} from={todayHere()} />
          </Form.Item>
        )}
        <Field of={changeAcceptState} name="opinion" />
      </Form>
    </Modal>
  );
}
