// Webhooks and their deliveries. The stream does not tell of them, so a page that shows them asks again and again.
import { type InfiniteData, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { HoldfastError } from 'holdfast-client'
import { useServices } from '@/app/Services'
import { askAgainMs } from '@/webhooks/delivery'
import type { Delivery, DeliveryPage, Webhook, WebhookBody, WebhookChange } from '@/webhooks/webhook'
import { keys } from './keys'

const LIST_MS = 10_000
const ONE_MS = 4_000
const PAGE = 25

const pathOf = (id: string) => `/webhooks/${encodeURIComponent(id)}`

/** All of them, the newest first. */
export function useWebhooks() {
  const { client } = useServices()
  return useQuery({
    queryKey: keys.webhooks,
    queryFn: async ({ signal }) =>
      (await client.request<{ webhooks: Webhook[] }>('GET', '/webhooks', { signal })).webhooks,
    refetchInterval: LIST_MS,
  })
}

export function useWebhook(id: string) {
  const { client } = useServices()
  return useQuery({
    queryKey: keys.webhook(id),
    queryFn: ({ signal }) => client.request<Webhook>('GET', pathOf(id), { signal }),
    refetchInterval: ({ state }) => !isGone(state.error) && ONE_MS,
  })
}

/** Whether it is not there any more. */
export function isGone(error: unknown): boolean {
  return error instanceof HoldfastError && error.code === 'not_found'
}

/** What was or is to be told, page by page, the newest first; `status` is empty for all of it. */
export function useDeliveries({ id, active }: Webhook, status: Delivery['status'] | '') {
  const { client } = useServices()
  return useInfiniteQuery({
    queryKey: keys.deliveries(id, status),
    queryFn: ({ pageParam, signal }) =>
      client.request<DeliveryPage>('GET', `${pathOf(id)}/deliveries`, {
        query: { status: status || undefined, limit: PAGE, before: pageParam },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next,
    refetchInterval: ({ state }) => askAgainMs(shownIn(state.data), active, Date.now()),
  })
}

export function shownIn(data: InfiniteData<DeliveryPage, unknown> | undefined): Delivery[] {
  return data?.pages.flatMap((page) => page.deliveries) ?? []
}

/** One delivery with what is sent, which never changes; the rest of it does. */
export function useSent(id: string, deliveryId: string) {
  const { client } = useServices()
  return useQuery({
    queryKey: keys.delivery(id, deliveryId),
    queryFn: async ({ signal }) => {
      const path = `${pathOf(id)}/deliveries/${encodeURIComponent(deliveryId)}`
      return (await client.request<Delivery>('GET', path, { signal })).body ?? ''
    },
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** Answers the webhook with its secret, which is not kept here. */
export function useAddWebhook() {
  const { client } = useServices()
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (body: WebhookBody) => client.request<Webhook>('POST', '/webhooks', { body }),
    gcTime: 0,
    onSuccess: () => cache.invalidateQueries({ queryKey: keys.webhooks }),
  })
}

/** The same for a new secret. */
export function useRotate(id: string) {
  const { client } = useServices()
  const cache = useQueryClient()
  return useMutation({
    mutationFn: () => client.request<Webhook>('POST', `${pathOf(id)}/rotate`, { body: {} }),
    gcTime: 0,
    onSuccess: () => cache.invalidateQueries({ queryKey: keys.webhook(id) }),
  })
}

export function useChangeWebhook(id: string) {
  const { client } = useServices()
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (body: WebhookChange) => client.request<Webhook>('POST', pathOf(id), { body }),
    onSuccess: (changed) => {
      cache.setQueryData(keys.webhook(id), changed)
      void cache.invalidateQueries({ queryKey: keys.webhooks })
      void cache.invalidateQueries({ queryKey: keys.webhook(id) })
    },
  })
}

export function useDeleteWebhook(id: string) {
  const { client } = useServices()
  const cache = useQueryClient()
  return useMutation({
    mutationFn: () => client.request<undefined>('DELETE', pathOf(id)),
    onSuccess: () => {
      cache.setQueryData<Webhook[]>(keys.webhooks, (all) => all?.filter((one) => one.id !== id))
      void cache.invalidateQueries({ queryKey: keys.webhooks })
    },
  })
}

/** Sends a message of its own, once, and answers what came of it. */
export function useTestWebhook(id: string) {
  const { client } = useServices()
  const cache = useQueryClient()
  return useMutation({
    mutationFn: () => client.request<Delivery>('POST', `${pathOf(id)}/test`),
    onSuccess: () => cache.invalidateQueries({ queryKey: keys.webhook(id) }),
  })
}

export function useSendAgain(id: string) {
  const { client } = useServices()
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (deliveryId: string) =>
      client.request<Delivery>('POST', `${pathOf(id)}/deliveries/${encodeURIComponent(deliveryId)}/retry`),
    onSuccess: () => cache.invalidateQueries({ queryKey: keys.webhook(id) }),
  })
}
