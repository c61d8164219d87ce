/** All that other domains may use of doctor on the server. */
export { doctorsByNo, getDoctors } from './doctors/record/read.ts';
export { factsFor } from './doctors/record/facts.ts';
export { registerMeetings } from './doctors/record/forChat.ts';
export { getServiceItem } from './items/read.ts';
export { activeServiceConfig } from './config/active.ts';
export { inDutyWeek } from './assistants/choose.ts';
export { changeAssistantState } from './assistants/state.ts';
export { createConsultOrder, createdAnswer } from './orders/create.ts';
export { advanceConsultOrder } from './orders/advance.ts';
export { orderStatesOf, type OrderStateBrief } from './orders/access.ts';
export { staffUsersOf } from './services.ts';
export { openingBrief } from './openings/search.ts';
export { doctorMobileEndsWith, textDoctor } from './doctors/entry/person.ts';
export { realNameFloor } from './items/read.ts';
export { routableDoctors, type RoutableDoctor } from './openings/search.ts';
