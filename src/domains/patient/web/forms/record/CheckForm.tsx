import { Form, Input } from 'antd';
import { lazy, Suspense, useRef } from 'react';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { SERVER_MESSAGE } from '#kernel/web/http/queries.ts';
import { addInspection, checkInspection } from '../../../contract/calls/ehr.ts';
import { inspectionKinds } from '../../../contract/dictionaries.ts';
import type { PersonBrief } from '../../../contract/fields.ts';
import type { InspectionRow } from '../../../contract/modules.ts';
import { PastInstant } from '#kernel/web/form/InstantInput.tsx';
import { refreshes } from '../../shared/refreshes.ts';
import { personLine } from '../../shared/person.tsx';
import '../../shared/patient.css';
import { IndicatorItem } from './IndicatorFields.tsx';
import { inputOf, rowOf, type IndicatorRow } from './indicatorRows.ts';

const ReportViewer = lazy(async () => ({ default: (await import('../../rows/ReportViewer.tsx')).ReportViewer }));

interface Values {
  itemName: string;
  inspectionTime: string;
  conclusion?: string;
  indicators?: IndicatorRow[];
}

interface CheckFormProps {
  row: InspectionRow;
  person: Pick<PersonBrief, 'name' | 'gender' | 'age' | 'patientNo'>;
  onClose(): void;
  /** Opens the next report that waits. */
  onNext?(): void;
}

/** 核对解读: the paper left, what was entered right; Ctrl+Enter reads it and goes on. */
export function CheckForm({ row, person, onClose, onNext }: CheckFormProps) {
  const [form] = Form.useForm<Values>();
  const done = useRef(false);
  return (
    <FormDrawer<typeof checkInspection, Values>
      open
      width="100%"
      title={`核对解读：${person.name} ${personLine(person)}　${row.itemName}（${row.inspectionNo}）`}
      call={checkInspection}
      form={form}
      initial={{
        itemName: row.itemName,
        inspectionTime: row.inspectionTime,
        conclusion: row.conclusion,
        indicators: row.indicators.map(rowOf),
      }}
      recordKey={row.id}
      success={SERVER_MESSAGE}
      refreshes={refreshes.inspections}
      submitText={onNext ? '核对解读并看下一份' : '核对解读'}
      footer={<span className="kq-muted">Tab 下一项　Ctrl+Enter 核对解读{onNext && '并看下一份'}</span>}
      onDone={() => (done.current = true)}
      onClose={() => (done.current && onNext ? onNext() : onClose())}
      toInput={(values) => ({
        id: row.id,
        version: row.version,
        itemName: values.itemName.trim(),
        inspectionTime: values.inspectionTime,
        conclusion: values.conclusion ?? '',
        indicators: inputOf(values.indicators ?? []),
      })}
    >
      <div className="pa-check">
        <div>
          {row.fileIds.length > 0 ? (
            <Suspense fallback={null}>
              <ReportViewer fileIds={row.fileIds} patientId={row.patientId} />
            </Suspense>
          ) : (
            <p className="pa-empty">没有上传报告原件，请按患者口述或医院系统核对</p>
          )}
        </div>
        <div>
          <p className="kq-muted">
            {inspectionKinds.label(row.kind)}　{row.hospitalName || '医院未填写'}
          </p>
          <IndicatorItem label="指标（与报告一致的数值和单位）" person={person} />
          <Field of={addInspection} name="itemName" />
          <Field of={addInspection} name="inspectionTime">
            <PastInstant />
          </Field>
          <Field of={checkInspection} name="conclusion">
            <Input.TextArea rows={5} showCount />
          </Field>
        </div>
      </div>
    </FormDrawer>
  );
}
