import { Steps } from 'antd';
import '../pharma.css';

/** Where the hand-over has got to. */
export function WizardSteps({ step, titles }: { step: number; titles: readonly string[] }) {
  return <Steps size="small" className="ph-steps" current={step} items={titles.map((title) => ({ title }))} />;
}
