import { Programs } from './Programs.tsx';

/** /IncentiveItroduction 激励说明; the spelling is the specification's. */
export default function IncentiveItroduction() {
  return <Programs />;
}
