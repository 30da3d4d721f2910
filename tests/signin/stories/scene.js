/** @import { AuthorizationServer } from "../authorization-server.js" */
/** @import { Person } from "../browser.js" */
/** @import { Machine } from "../clients.js" */
/** @import { Seen } from "../servers.js" */

/**
 * What a story has: a machine with a client, a server, an authorization server with what it counts, a person.
 *
 * @typedef {object} Scene
 * @property {Machine} machine
 * @property {{seen: () => Promise<Seen>}} server
 * @property {AuthorizationServer} authorization
 * @property {Person} person
 * @property {Record<string, number>} counts
 */

/** @typedef {(scene: Scene) => Promise<unknown>} Story */

/** Codes of engine/fault: the server did not take its state back; it wants authorization, and nobody signed in. */
export const [stateRefused, unauthorized] = [10, 25]

/** Signs in for what comes next. @param {Machine} machine @param {Person} person */
export async function signedIn(machine, person) {
  const client = machine.start("look")
  await client.signsIn(person, "alice")
  await client.ends()
}
