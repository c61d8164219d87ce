import { job, type JobContext } from '#kernel/server/jobs/declaration.ts';
import { cardOf } from '../../contract/im/cards.ts';
import { operatorIdOf } from '../../contract/im/ids.ts';
import type { CustomPayload, TextPayload } from '../../contract/im/types.ts';
import { messageTypes } from '../../contract/im/types.ts';
import { imEngine } from '../im/engine.ts';
import { relayTyping } from '../im/sockets/serving.ts';
import { arrive } from './arrive.ts';
import { acceptAsDoctor, confirmEnd, rateAsPatient, refuseCalls } from './deeds.ts';
import { showPresence } from './presence.ts';
import { scenesOf, type Scene } from './scenes.ts';
import { delayOf, doctorReply, patientReply, personaOf, readDelayOf } from './script.ts';
import { Voice } from './voice.ts';

const DOCTOR_EVERY = 2;
const TYPING_MS = 4_000;
/** What was said longer ago was said to nobody who is still there. */
const FRESH_MS = 600_000;

/** What the last message says, a card by what it stands for. */
function wordsOf({ lastType, lastPayload }: Scene): string {
  if (lastType === messageTypes.TEXT) return (lastPayload as TextPayload).text;
  if (lastType !== messageTypes.CUSTOM) return '';
  const card = cardOf(lastPayload as CustomPayload);
  return card?.businessID === 'inspection_request' ? '请上传检查报告' : card?.businessID === 'medicine_suggestion' ? '用药建议' : '';
}

const waitedOf = (context: JobContext, { lastAt }: Scene): number => Date.parse(context.now) - Date.parse(lastAt);

/** Reads, seems to type, and then is due to answer. */
async function isDue(context: JobContext, voice: Voice, scene: Scene, user: string, readSeq: number): Promise<boolean> {
  const waited = waitedOf(context, scene);
  if (readSeq < scene.lastSeq && waited >= readDelayOf(scene.convId, scene.lastSeq)) await voice.read(scene, user);
  const due = delayOf(scene.convId, scene.lastSeq);
  if (waited >= due) return voice.mayNow(user);
  if (due - waited < TYPING_MS) await relayTyping(imEngine(context.kernel), user, `GROUP${scene.groupId}`, true);
  return false;
}

async function answerAsPatient(context: JobContext, voice: Voice, scene: Scene): Promise<void> {
  const { patientUser, lastSender, lastSeq, serverStatus, doctorUser } = scene;
  if (scene.patientReal) return;
  if (serverStatus === '3') return confirmEnd(context, scene);
  if (scene.unratedId !== null) await rateAsPatient(context, scene);
  // In a doctor's group he may write while the service runs.
  if (doctorUser !== null && serverStatus !== '1' && serverStatus !== '2') return;
  const persona = personaOf(operatorIdOf(patientUser), scene.icd10, scene.allergy);
  if (lastSeq === 0) return void (await voice.say(scene, patientUser, 'first', { payload: { text: `您好，${persona.complaint}` } }));
  if (
    lastSender === patientUser ||
    waitedOf(context, scene) > FRESH_MS ||
    !(await isDue(context, voice, scene, patientUser, scene.patientRead))
  )
    return;
  const reply = patientReply(persona, wordsOf(scene), lastSeq, scene.shown);
  if (reply.picture && (await voice.showReport(scene, persona.course.report))) return;
  await voice.say(scene, patientUser, String(lastSeq), { payload: { text: reply.text } });
}

async function answerAsDoctor(context: JobContext, voice: Voice, scene: Scene): Promise<void> {
  const { doctorUser, serverStatus, lastSender, patientUser, lastSeq, unanswered } = scene;
  if (doctorUser === null || scene.doctorReal) return;
  if (serverStatus === '1') return acceptAsDoctor(context, scene);
  if (
    serverStatus !== '2' ||
    lastSender !== patientUser ||
    unanswered < DOCTOR_EVERY ||
    waitedOf(context, scene) > FRESH_MS ||
    !(await isDue(context, voice, scene, doctorUser, scene.doctorRead))
  )
    return;
  const { course } = personaOf(operatorIdOf(patientUser), scene.icd10);
  await voice.say(scene, doctorUser, String(lastSeq), { payload: { text: doctorReply(course, wordsOf(scene), lastSeq) } });
}

/** Simulated patients and doctors of the demonstration; nowhere else does anything of this run. */
export const botsJob = job({
  name: 'consultation.demoBots',
  label: '模拟参与者',
  everySeconds: 3,
  async run(_data, context) {
    if (context.kernel.config.mode !== 'demo') return;
    await arrive(context);
    const scenes = await scenesOf(context);
    await showPresence(context, scenes);
    const voice = new Voice(context, scenes);
    await refuseCalls(context, voice, scenes);
    for (const scene of scenes) {
      if (context.signal.aborted) return;
      await answerAsDoctor(context, voice, scene);
      await answerAsPatient(context, voice, scene);
    }
  },
});
