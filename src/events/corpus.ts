import * as z from 'zod/mini';
import { event } from '#kernel/contract/event.ts';

/** A disease entered or left the corpus, or its dictionary row changed. */
export const corpusDiseaseChanged = event(
  'corpus.disease.changed',
  z.strictObject({
    diseaseId: z.string(),
    diseaseCode: z.string(),
    diseaseName: z.string(),
    available: z.literal([0, 1]),
  }),
);

/** A scene or child scene was made, renamed or deleted. */
export const corpusSceneChanged = event(
  'corpus.scene.changed',
  z.strictObject({
    sceneId: z.string(),
    sceneName: z.string(),
    diseaseId: z.string(),
    diseaseName: z.string(),
    chatFlag: z.literal([0, 1, 2]),
    state: z.enum(['UNPUBLISHED', 'RUNNING', 'SUSPENDED', 'OFFLINE', 'DELETED']),
  }),
);

/** A follow-up answer reports a suspected reaction to a medicine. */
export const corpusAdverseEventReported = event(
  'corpus.adverseEvent.reported',
  z.strictObject({
    taskId: z.string(),
    patientId: z.string(),
    medicineId: z.string(),
    symptom: z.string(),
    onsetOn: z.nullable(z.string()),
    seriousness: z.enum(['GENERAL', 'SERIOUS', 'DEATH']),
    outcome: z.nullable(z.string()),
    at: z.string(),
  }),
);

/** Something is to be done by a person. */
export const corpusTaskCreated = event(
  'corpus.task.created',
  z.strictObject({
    taskId: z.string(),
    /** Null: whoever claims it. */
    assigneeId: z.nullable(z.string()),
    level: z.enum(['HIGH', 'MID', 'LOW']),
    patientId: z.string(),
    conversationId: z.optional(z.string()),
  }),
);

/** It was done. */
export const corpusTaskCompleted = event(
  'corpus.task.completed',
  z.strictObject({
    taskId: z.string(),
    doctorId: z.nullable(z.string()),
    diseaseId: z.nullable(z.string()),
    kind: z.enum(['CALL', 'FORM', 'REPLY', 'ALERT', 'AE', 'SEND_FAIL']),
    at: z.string(),
    facts: z.strictObject({ result: z.string(), durationMin: z.optional(z.int()), score: z.optional(z.number()) }),
  }),
);

/** A patient handed in a questionnaire; values of the questions that are mapped to variables. */
export const corpusFormSubmitted = event(
  'corpus.form.submitted',
  z.strictObject({
    answerId: z.string(),
    patientId: z.string(),
    questionnaireId: z.string(),
    score: z.nullable(z.number()),
    alerts: z.array(z.strictObject({ level: z.enum(['HIGH', 'MID']), text: z.string() })),
    values: z.array(z.strictObject({ variableCode: z.string(), value: z.string() })),
  }),
);

const run = z.strictObject({
  runId: z.string(),
  runNo: z.string(),
  patientId: z.string(),
  conversationId: z.string(),
  sceneId: z.string(),
  reason: z.optional(z.string()),
});
/** A patient entered a scene, was through with it, or left it before. */
export const runEntered = event('corpus.run.entered', run);
export const runFinished = event('corpus.run.finished', run);
export const runStopped = event('corpus.run.stopped', run);
