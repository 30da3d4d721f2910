/** A script of the store in Redis, and its SHA-1, under which a server keeps it. */
export interface Script {
  text: string
  sha: string
}
/** The scripts, as hosts/go/store/redis/scripts has them. The build makes this. */
export const scripts: Readonly<Record<"create" | "take" | "save" | "renew" | "done" | "release" | "discard" | "look" | "mark", Readonly<Script>>>
