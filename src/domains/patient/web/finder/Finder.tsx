import { Drawer } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { useData } from '#kernel/web/http/queries.ts';
import { useKeys } from '#kernel/web/keyboard/keys.ts';
import { PATIENT_PARAM } from '#kernel/web/kit/PatientLink.tsx';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { goToLayer } from '#kernel/web/router/navigate.ts';
import { useMay } from '#kernel/web/session/store.ts';
import { queryPatientQueues } from '../../contract/calls/sufferer.ts';
import { patientPermissions as rights } from '../../contract/permissions.ts';
import { SearchBox } from '../picker/SearchBox.tsx';

const NewPatientForm = lazy(async () => ({ default: (await import('../forms/person/NewPatientForm.tsx')).NewPatientForm }));
const queues = {
  manual: { label: '待人工核验', content: lazy(async () => ({ default: (await import('./ManualQueue.tsx')).ManualQueue })) },
  reports: { label: '报告待解读', content: lazy(async () => ({ default: (await import('./ReportQueue.tsx')).ReportQueue })) },
  merges: { label: '待审批合并', content: lazy(async () => ({ default: (await import('./MergeQueue.tsx')).MergeQueue })) },
  privacy: { label: '隐私请求', content: lazy(async () => ({ default: (await import('./PrivacyQueue.tsx')).PrivacyQueue })) },
} as const;
type QueueKey = keyof typeof queues;
const keys = Object.keys(queues) as QueueKey[];

/** Nothing below the finder hears the keys. */
function OwnKeys() {
  useKeys([], true);
  return null;
}

/** 患者查找 (Alt+P): finds one person, and the work that waits for who looks. */
export function Finder({ onClose }: { onClose(): void }) {
  const may = useMay();
  const [queue, setQueue] = useState<QueueKey | null>(null);
  const layers = useLayers();
  const counts = useData(queryPatientQueues, {}, { quiet: true });
  const open = (patientId: string) => {
    onClose();
    goToLayer(PATIENT_PARAM, patientId);
  };
  const add = (typed: string) =>
    layers.open((close) => (
      <NewPatientForm initial={/\d/.test(typed) ? {} : { name: typed }} onClose={close} onDone={({ patientId }) => open(patientId)} />
    ));
  const Content = queue && queues[queue].content;
  const own = keys.filter((key) => counts.data?.[key] !== null && counts.data?.[key] !== undefined);
  return (
    <Drawer open size={queue ? 1180 : 760} title="患者查找" onClose={onClose} destroyOnHidden>
      <OwnKeys />
      <SearchBox turn={queue} onPick={({ patientId }) => open(patientId)} onNew={may(rights['patient.edit']) ? add : undefined} />
      {own.length > 0 && (
        <nav className="pa-queues" aria-label="待办队列" style={{ marginTop: 16 }}>
          {own.map((key) => (
            <button
              key={key}
              type="button"
              className={`pa-queue ${queue === key ? 'pa-queue-on' : ''}`}
              aria-pressed={queue === key}
              onClick={() => setQueue(queue === key ? null : key)}
            >
              <b>{counts.data?.[key]}</b>
              {queues[key].label}
            </button>
          ))}
        </nav>
      )}
      <Suspense fallback={<div className="kq-loading" />}>{Content && <Content />}</Suspense>
      {layers.shown}
    </Drawer>
  );
}
