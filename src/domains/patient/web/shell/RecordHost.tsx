import { useRouterState } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useKeys } from '#kernel/web/keyboard/keys.ts';
import { PATIENT_PARAM } from '#kernel/web/kit/PatientLink.tsx';
import { goToLayer } from '#kernel/web/router/navigate.ts';
import { useMay } from '#kernel/web/session/store.ts';
import { patientPermissions } from '../../contract/permissions.ts';
import { usePinned } from '../record/recordScope.ts';

// Everything below is fetched when a record or the finder is opened for the first time.
const RecordDrawer = lazy(async () => ({ default: (await import('../record/RecordDrawer.tsx')).RecordDrawer }));
const Finder = lazy(async () => ({ default: (await import('../finder/Finder.tsx')).Finder }));

/** Stands in the shell: opens the record named by the address, and the finder by Alt+P. */
export default function RecordHost() {
  const may = useMay();
  const permitted = may(patientPermissions['patient.view']);
  const param = useRouterState({ select: (state) => (state.location.search as Readonly<Record<string, unknown>>)[PATIENT_PARAM] });
  const asked = typeof param === 'string' && /^\d{1,19}$/.test(param) ? param : null;
  const pinned = usePinned((state) => state.patientId);
  const [finder, setFinder] = useState(false);
  useKeys(permitted ? [{ keys: 'Alt+P', label: '查找患者', act: () => setFinder(true), inFields: true }] : []);
  useEffect(() => {
    if (asked && pinned && asked !== pinned) usePinned.setState({ patientId: asked });
  }, [asked, pinned]);
  if (!permitted) return null;
  const shown = asked ?? pinned;
  return (
    <Suspense fallback={null}>
      {finder && <Finder onClose={() => setFinder(false)} />}
      {shown && (
        <RecordDrawer
          // Another record lies over whatever was opened before it.
          key={shown}
          patientId={shown}
          pinned={pinned !== null}
          onPin={(pin) => usePinned.setState({ patientId: pin ? shown : null })}
          onFind={() => setFinder(true)}
          onClose={() => {
            usePinned.setState({ patientId: null });
            if (param !== undefined) goToLayer(PATIENT_PARAM, null);
          }}
        />
      )}
    </Suspense>
  );
}
