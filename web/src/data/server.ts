// What the server has to offer: agents, profiles, projects, folders, its health, and who we are.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { AgentInfo } from 'holdfast-client'
import { useServices } from '@/app/Services'
import { keys } from './keys'

const MINUTE = 60_000

export function useAgents() {
  const { client } = useServices()
  return useQuery({ queryKey: keys.agents, queryFn: ({ signal }) => client.agents({ signal }), staleTime: MINUTE })
}

/** What an agent is called; its own name until that is known. */
export function useAgentTitle(name: string): string {
  return useAgents().data?.find((agent) => agent.name === name)?.title ?? name
}

/** Starts an agent, asks it what it can do and whether it is logged in, and shows that from then on. */
export function useCheckAgent() {
  const { client } = useServices()
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (name: string) => client.checkAgent(name),
    onSuccess: (found) => {
      cache.setQueryData<AgentInfo[]>(keys.agents, (all) => all?.map((one) => (one.name === found.name ? found : one)))
      void cache.invalidateQueries({ queryKey: keys.health })
    },
  })
}

export function useProfiles() {
  const { client } = useServices()
  return useQuery({ queryKey: keys.profiles, queryFn: ({ signal }) => client.profiles({ signal }), staleTime: MINUTE })
}

export function useProjects() {
  const { client } = useServices()
  return useQuery({ queryKey: keys.projects, queryFn: ({ signal }) => client.projects({ signal }) })
}

export function useFolders(path: string, enabled = true) {
  const { client } = useServices()
  return useQuery({
    queryKey: keys.folders(path),
    queryFn: ({ signal }) => client.folders(path, { signal }),
    enabled,
    placeholderData: (before) => before,
    retry: false,
  })
}

export function useHealth() {
  const { client } = useServices()
  return useQuery({
    queryKey: keys.health,
    queryFn: ({ signal }) => client.health({ signal }),
    staleTime: MINUTE,
    // The check at boot takes some seconds; until it has an answer there is one worth waiting for.
    refetchInterval: (query) => (query.state.data?.agent_auth?.state === 'checking' ? 3000 : 5 * MINUTE),
  })
}

export function useMe() {
  const { client } = useServices()
  return useQuery({
    queryKey: keys.me,
    queryFn: ({ signal }) => client.me({ signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
}

export function useFiles(id: string) {
  const { client } = useServices()
  return useQuery({ queryKey: keys.files(id), queryFn: ({ signal }) => client.session(id).files({ signal }) })
}
