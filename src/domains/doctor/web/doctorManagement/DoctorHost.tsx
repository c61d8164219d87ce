import { lazy, Suspense, useRef } from 'react';
import { param } from '#kernel/web/router/address.ts';
import { useAddress } from '#kernel/web/tabs/page.tsx';

const DoctorDrawer = lazy(async () => ({ default: (await import('./DoctorDrawer.tsx')).DoctorDrawer }));
const EditDoctorForm = lazy(async () => ({ default: (await import('./DoctorForm.tsx')).EditDoctorForm }));
const address = { doctorId: param.optional(), edit: param.optional() };

/** The drawer of the doctor that the address names, and his form: `?doctorId=12`, `?doctorId=12&edit=1`. */
export function DoctorHost() {
  const [{ doctorId, edit }, setAddress] = useAddress(address);
  // Once opened the drawer stays, so that it closes with its motion.
  const drawn = useRef(false);
  drawn.current ||= doctorId !== undefined;
  return (
    <>
      <Suspense fallback={null}>
        {drawn.current && (
          <DoctorDrawer
            doctorId={doctorId}
            onClose={() => setAddress({ doctorId: undefined, edit: undefined })}
            onEdit={() => setAddress({ edit: '1' })}
          />
        )}
      </Suspense>
      <Suspense fallback={null}>
        {doctorId && edit && <EditDoctorForm doctorId={doctorId} onClose={() => setAddress({ edit: undefined })} />}
      </Suspense>
    </>
  );
}
