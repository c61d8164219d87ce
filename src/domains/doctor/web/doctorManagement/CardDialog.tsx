import { Form, Select } from 'antd';
import { toast } from '#kernel/web/feedback/toast.ts';
import { FormDialog } from '#kernel/web/form/FormDrawer.tsx';
import { usualFields, batchGenerateDoctorCard } from '../../contract/calls/cards.ts';
import { cardTemplates } from '../../contract/dictionaries.ts';
import { queryDoctorDetail, queryDoctorList } from '../../contract/calls/doctors.ts';
import { TextInput } from '#kernel/web/kit/TextInput.tsx';

interface Doctors {
  doctors: readonly { doctorId: string; name: string }[];
  onDone?(): void;
  onClose(): void;
}
const reads = [queryDoctorList, queryDoctorDetail];
const whose = (doctors: Doctors['doctors']) => (doctors.length === 1 ? doctors[0]!.name : `${doctors.length}位医生`);
const options = (dictionary: { options: readonly { value: string; label: string }[] }) =>
  dictionary.options.map(({ value, label }) => ({ value, label }));

interface CardValues {
  template: (typeof cardTemplates.codes)[number];
  headline?: string;
}
export function CardDialog({ doctors, onDone, onClose }: Doctors) {
  return (
    <FormDialog<typeof batchGenerateDoctorCard, CardValues>
      open
      title={`生成名片：${whose(doctors)}`}
      call={batchGenerateDoctorCard}
      initial={{ template: 'BLUE' }}
      toInput={({ template, headline }) => ({
        doctorIds: doctors.map(({ doctorId }) => doctorId),
        template,
        headline: headline ?? '',
        showFields: [...usualFields],
        keepLooks: false,
      })}
      onDone={({ data }) => {
        toast(`已开始生成${data.total}张名片，可在“医生名片”查看`);
        onDone?.();
      }}
      refreshes={reads}
      onClose={onClose}
    >
      <Form.Item label="模板" name="template">
        <Select placeholder="请选择" options={options(cardTemplates)} />
      </Form.Item>
      <Form.Item label="标语" name="headline">
        <TextInput most={30} showCount placeholder="显示在姓名下方" />
      </Form.Item>
    </FormDialog>
  );
}
